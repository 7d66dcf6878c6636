import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { ChevronLeft, RefreshCw } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { formatBytes } from '../../text/format-number.ts';
import { stateWords as words } from '../../text/strings/state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { EventTime, WallTime } from '../../ui/time.tsx';
import { useEditor } from '../editor-context.tsx';
import { LastChange } from './last-change.tsx';
import styles from './state.module.css';

type Stored = AnswerOf<RouteOf<'state.read'>>;

export interface KeyViewProps {
  readonly node: string;
  readonly keyText: string;
  readonly onBack: () => void;
}

/** One key: value, maps, timers, and what waits. */
export function KeyView({ node, keyText, onBack }: KeyViewProps) {
  const { pipeline } = useEditor();
  const stored = useLoad(
    useCallback(
      (signal: AbortSignal) =>
        call('state.read', { params: { pipeline, node }, body: { key: keyText }, signal }),
      [pipeline, node, keyText],
    ),
  );
  return (
    <section className={styles.view} aria-label={keyText}>
      <header className={styles.head}>
        <IconButton size="small" icon={ChevronLeft} label={words.back} onClick={onBack} />
        <code>{keyText === '' ? words.emptyKey : keyText}</code>
        <IconButton size="small" icon={RefreshCw} label={words.refresh} onClick={stored.reload} />
      </header>
      <div className={styles.body}>
        <LoadState of={stored}>{(value) => <Body stored={value} />}</LoadState>
      </div>
    </section>
  );
}

function Body({ stored }: { readonly stored: Stored }) {
  const { state, maps, timers, waiting, changed, incomplete } = stored;
  return (
    <>
      <p className={styles.changed}>
        <LastChange changed={changed} as="moment" />
      </p>
      <Part title={words.value}>
        {state === undefined ? (
          <p className={styles.none}>{words.noValue}</p>
        ) : (
          <Value of={state} label={words.value} />
        )}
      </Part>
      {maps.map(({ name, entries }) => (
        <Part key={name} title={words.map(name)}>
          {entries.map((entry) => (
            <div key={`${typeof entry.key}${entry.key}`} className={styles.entry}>
              <code>{entry.key}</code>
              <Value of={entry} label={String(entry.key)} />
            </div>
          ))}
        </Part>
      ))}
      {timers.length > 0 && (
        <Part title={words.timersTitle}>
          {timers.map((timer) => (
            <Timer key={`${timer.clock}${timer.tag}${timer.time}`} timer={timer} />
          ))}
        </Part>
      )}
      {waiting.length > 0 && (
        <Part title={words.waitingTitle}>
          {waiting.map((record) => (
            <div key={record.sequence} className={styles.entry}>
              <span>
                <EventTime at={record.timestamp} as="moment" /> {record.late && words.late}
              </span>
              <Value of={record} label={record.id} />
            </div>
          ))}
        </Part>
      )}
      {incomplete && <p className={styles.none}>{words.incomplete}</p>}
    </>
  );
}

function Timer({ timer: { clock, tag, time, hold } }: { readonly timer: Stored['timers'][number] }) {
  return (
    <div className={styles.entry}>
      <code>{tag}</code>
      <span>
        {clock === 'wall' ? words.wallTimer : words.watermarkTimer}{' '}
        {clock === 'wall' ? <WallTime at={time} /> : <EventTime at={time} as="moment" />}
      </span>
      {hold !== undefined && (
        <span>
          {words.holds} <EventTime at={hold} as="moment" />
        </span>
      )}
    </div>
  );
}

interface ValueProps {
  readonly of: { readonly bytes: number; readonly text?: string | undefined; readonly cut: boolean };
  readonly label: string;
}

function Value({ of: { bytes, text, cut }, label }: ValueProps) {
  if (text === undefined) return <p className={styles.none}>{words.tooLarge(formatBytes(bytes))}</p>;
  return (
    <>
      <JsonTree text={text} label={label} open={3} />
      {cut && <p className={styles.none}>{words.cut}</p>}
    </>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.part} aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);
