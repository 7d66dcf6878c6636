import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { formatBytes, formatFull } from '../../text/format-number.ts';
import { stateWords as words } from '../../text/strings/state.ts';
import { Button } from '../../ui/button.tsx';
import { LastChange } from './last-change.tsx';
import styles from './state.module.css';
import type { Keys, StoredKey } from './use-keys.ts';

const ROW_HEIGHT = 40;

export interface KeyListProps {
  readonly keys: Keys;
  readonly onChoose: (key: string) => void;
}

export function KeyList({ keys: { items, next, busy, more }, onChoose }: KeyListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  return (
    <div ref={frame} className={styles.keys}>
      <ul aria-label={words.keys} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li key={item.key} style={{ transform: `translateY(${start}px)` }}>
              <KeyRow item={item} onChoose={() => onChoose(item.key)} />
            </li>
          );
        })}
      </ul>
      {next !== null && (
        <div className={styles.more}>
          <Button size="small" busy={busy} onClick={more}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

export function KeyRow({ item, onChoose }: { readonly item: StoredKey; readonly onChoose: () => void }) {
  const { key, bytes, mapEntries, timers, waiting, changed } = item;
  const about = [
    mapEntries > 0 && words.entries(mapEntries),
    timers > 0 && words.timers(timers),
    waiting > 0 && words.waiting(waiting),
  ].filter(Boolean);
  return (
    <button type="button" className={styles.key} onClick={onChoose}>
      <code>{key === '' ? words.emptyKey : key}</code>
      <span className={styles.bytes} title={formatFull(bytes)}>
        {formatBytes(bytes)}
      </span>
      <span className={styles.about}>
        <LastChange changed={changed} />
        {about.map((each) => ` · ${each}`)}
      </span>
    </button>
  );
}
