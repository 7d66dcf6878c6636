import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { recordWords as words } from '../../text/strings/records.ts';
import { nextStop } from '../../ui/roving/next-stop.ts';
import { EventTime } from '../../ui/time.tsx';
import type { ShownRecord } from './record-log.ts';
import styles from './records.module.css';

export interface RecordListProps {
  readonly records: readonly ShownRecord[];
  readonly chosen: number | undefined;
  readonly isPaused: boolean;
  readonly onChoose: (record: ShownRecord) => void;
}

const ROW_HEIGHT = 24;

/** One stop of the tab key; arrows, Home and End choose. A row that is out of sight is none, so focus stays on the list. While it is not paused the newest stays in sight. */
export function RecordList({ records, chosen, isPaused, onChoose }: RecordListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const newest = records.at(-1)?.number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each newest one
  useEffect(() => {
    if (!isPaused && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [newest, isPaused]);
  const move = (event: KeyboardEvent): void => {
    const at = records.findIndex(({ number }) => number === chosen);
    const stop = nextStop(event.key, at, records.length);
    if (stop === undefined) return;
    event.preventDefault();
    // From none they lead to the newest.
    const next = at < 0 ? records.length - 1 : stop;
    const record = records[next];
    if (record === undefined) return;
    onChoose(record);
    rows.scrollToIndex(next);
  };
  const isInSight =
    chosen !== undefined && rows.getVirtualItems().some(({ index }) => records[index]?.number === chosen);
  return (
    <div
      ref={frame}
      className={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label={words.list}
      aria-activedescendant={isInSight ? idOf(chosen) : undefined}
      onKeyDown={move}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const record = records[index];
          return record === undefined ? null : (
            <Row
              key={record.number}
              record={record}
              start={start}
              isChosen={record.number === chosen}
              onChoose={() => onChoose(record)}
            />
          );
        })}
      </div>
    </div>
  );
}

const idOf = (number: number): string => `record-${number}`;

interface RowProps {
  readonly record: ShownRecord;
  readonly start: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const Row = ({ record, start, isChosen, onChoose }: RowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys, as a listbox does
  <div
    id={idOf(record.number)}
    className={styles.row}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    style={{ transform: `translateY(${start}px)` }}
    onClick={onChoose}
  >
    <EventTime at={record.timestamp} />
    <code className={styles.key}>{record.key}</code>
    <code className={styles.text}>{record.text}</code>
    {record.earlier && (
      <span className={styles.earlier} title={words.earlierAbout}>
        {words.earlier}
      </span>
    )}
  </div>
);
