import { Download, Eraser, Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatCount, formatRate } from '../../text/format-number.ts';
import { recordWords as words } from '../../text/strings/records.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { FilterField } from './filter-field.tsx';
import { jsonLines } from './record-log.ts';
import styles from './records.module.css';
import type { Tap } from './use-tap.ts';

export interface RecordsBarProps {
  readonly tap: Tap;
  readonly streams: readonly string[];
  readonly filter: string | undefined;
  readonly onFilter: (filter: string | undefined) => void;
}

/** The filter, how much of all is shown, and what can be done with the list. */
export function RecordsBar({ tap, streams, filter, onFilter }: RecordsBarProps) {
  const { state, log, share, isPaused } = tap;
  const [text, setText] = useState(filter ?? '');
  // What was typed last, also by who asks before it is drawn.
  const newest = useRef(text);
  const apply = (): void => onFilter(newest.current.trim() === '' ? undefined : newest.current.trim());
  return (
    <header className={styles.bar}>
      <div className={styles.filter}>
        <FilterField
          streams={streams}
          text={text}
          onText={(typed) => {
            newest.current = typed;
            setText(typed);
          }}
          onApply={apply}
        />
      </div>
      {state.kind === 'ended' ? (
        <>
          <span className={styles.fault} role="alert" title={state.why}>
            {state.why}
          </span>
          <Button size="small" onClick={tap.openAgain}>
            {words.again}
          </Button>
        </>
      ) : (
        <span className={styles.share} title={words.shareAbout(tap.filtered, tap.dropped)}>
          {isPaused
            ? words.passed(log.passed)
            : words.share(formatCount(Math.round(share.shown)), formatRate(Math.round(share.seen)))}
        </span>
      )}
      <IconButton
        size="small"
        icon={isPaused ? Play : Pause}
        label={isPaused ? words.goOn : words.pause}
        pressed={isPaused}
        onClick={() => tap.setPaused(!isPaused)}
      />
      <IconButton
        size="small"
        icon={Download}
        label={words.export}
        disabled={log.records.length === 0}
        onClick={() => saveFile(words.fileName, new Blob([jsonLines(log.records)]))}
      />
      <IconButton size="small" icon={Eraser} label={words.clear} onClick={tap.clear} />
    </header>
  );
}
