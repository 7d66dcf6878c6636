import { Eraser, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { logWords as words } from '../../text/strings/logs.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { LEVELS, type Level, linesThatFit, NO_LINES } from './log-book.ts';
import { LogList } from './log-list.tsx';
import styles from './logs.module.css';
import { clearLogs } from './shared-logs.ts';
import { useLogs } from './use-logs.ts';

const NOT_YET = { book: NO_LINES, ended: undefined };

/** What the pipeline's code logs, as it does. */
export function Logs() {
  if (!useMay('data.read')) return <EmptyState title={words.notForYou}>{words.notForYouAbout}</EmptyState>;
  return <Shown />;
}

function Shown() {
  const { pipeline, store } = useEditor();
  const { book, ended } = useLogs(pipeline) ?? NOT_YET;
  const [text, setText] = useState('');
  const [level, setLevel] = useState<Level>('debug');
  const selected = useEditorState((state) => state.nodes);
  const place = useEditorState((state) => state.logPlace);
  const lines = useMemo(
    () => linesThatFit(book.lines, { text, level, nodes: selected.size > 0 ? selected : undefined, place }),
    [book, text, level, selected, place],
  );
  const narrowed = text !== '' || level !== 'debug' || place !== undefined;
  return (
    <section className={styles.logs} aria-label={words.title}>
      <header className={styles.bar}>
        <div className={styles.find}>
          <TextInput
            size="small"
            aria-label={words.find}
            placeholder={words.find}
            value={text}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {place !== undefined ? (
          <Button size="small" icon={X} onClick={() => store.setState({ logPlace: undefined })}>
            {words.lineOnly(place.replace(/^nodes\//, ''))}
          </Button>
        ) : (
          selected.size > 0 && <span className={styles.note}>{words.selectedOnly}</span>
        )}
        <Segmented
          label={words.level}
          value={level}
          onChange={setLevel}
          options={LEVELS.map((value) => ({ value, label: words.levels[value] }))}
        />
        <IconButton size="small" icon={Eraser} label={words.clear} onClick={() => clearLogs(pipeline)} />
      </header>
      {(ended ?? notAll(book)) && (
        <p className={styles.lost} role="status">
          {ended ?? notAll(book)}
        </p>
      )}
      {book.lines.length === 0 ? (
        <EmptyState title={words.none}>{words.noneAbout}</EmptyState>
      ) : lines.length === 0 ? (
        <p className={styles.none}>{narrowed ? words.noneMatch : words.noneOfSelected}</p>
      ) : (
        <LogList lines={lines} />
      )}
    </section>
  );
}

const notAll = ({ cut, missed }: { readonly cut: number; readonly missed: number }): string | undefined =>
  cut > 0 ? words.cut(cut) : missed > 0 ? words.missed(missed) : undefined;
