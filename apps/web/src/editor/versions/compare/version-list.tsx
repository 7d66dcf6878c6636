import { compareWords as words } from '../../../text/strings/compare.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { WallTime } from '../../../ui/time.tsx';
import type { Side } from '../address.ts';
import type { Versions } from './use-versions.ts';
import styles from './version-list.module.css';

export interface VersionListProps {
  readonly versions: Versions;
  readonly chosen: Side;
  readonly running: number | undefined;
  readonly onChoose: (number: number) => void;
}

export function VersionList({ versions, chosen, running, onChoose }: VersionListProps) {
  const { items, hasMore, more } = versions;
  if (items === undefined)
    return (
      <div className={styles.list} aria-busy="true">
        <Skeleton height={64} />
        <Skeleton height={64} />
      </div>
    );
  if (items.length === 0) return <EmptyState title={words.none}>{words.noneHint}</EmptyState>;
  return (
    <div className={styles.list}>
      {items.map(({ number, message, createdAt }) => (
        <button
          key={number}
          type="button"
          className={styles.version}
          aria-pressed={number === chosen}
          onClick={() => onChoose(number)}
        >
          <span className={styles.head}>
            <span className={styles.name}>{words.version(number)}</span>
            {number === running && <Badge tone="ok">{words.deployed}</Badge>}
          </span>
          <span className={styles.message} title={message}>
            {message || words.noMessage}
          </span>
          <span className={styles.time}>
            <WallTime at={createdAt} as="ago" />
          </span>
        </button>
      ))}
      {hasMore && (
        <Button size="small" look="quiet" onClick={more}>
          {words.more}
        </Button>
      )}
    </div>
  );
}
