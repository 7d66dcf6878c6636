import { formatBytes, formatCount } from '../text/format-number.ts';
import { runtimeWords as words } from '../text/strings/runtime.ts';
import { type Column, Table } from '../ui/table.tsx';
import styles from './runtime-page.module.css';
import type { Runtime } from './slowest-watermark.ts';

type Memory = Runtime['remembered'][number];

export interface RememberedProps {
  readonly runtime: Runtime;
  /** Of nodes, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** What is asked of the memory of posted requests, and how often the store was read for it; nothing where none are. */
export function Remembered({ runtime, names }: RememberedProps) {
  if (runtime.remembered.length === 0) return null;
  const columns: readonly Column<Memory>[] = [
    { head: words.node, cell: ({ node }) => names.get(node) ?? node },
    { head: words.keysAsked, align: 'right', cell: ({ lookups }) => formatCount(lookups) },
    { head: words.storeReads, align: 'right', cell: ({ storeReads }) => formatCount(storeReads) },
    { head: words.keysKnown, align: 'right', cell: ({ known }) => formatCount(known) },
    {
      head: words.filter,
      align: 'right',
      cell: ({ complete, filterBytes }) => (complete ? formatBytes(filterBytes) : words.filterIsMade),
    },
  ];
  return (
    <section className={styles.keys}>
      <h2>{words.remembered}</h2>
      <p className={styles.about}>{words.rememberedAbout}</p>
      <Table
        label={words.remembered}
        columns={columns}
        rows={runtime.remembered}
        keyOf={({ node }) => node}
      />
    </section>
  );
}
