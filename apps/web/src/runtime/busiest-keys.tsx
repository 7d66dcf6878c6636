import { runtimeWords as words } from '../text/strings/runtime.ts';
import { type Column, Table } from '../ui/table.tsx';
import styles from './runtime-page.module.css';
import type { Runtime } from './slowest-watermark.ts';

type BusyKey = Runtime['busiestKeys'][number] & { readonly rank: number };

export interface BusiestKeysProps {
  readonly runtime: Runtime;
  /** Of nodes, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Keys that have so much of a node's input that they bound how fast it can be. */
export function BusiestKeys({ runtime, names }: BusiestKeysProps) {
  const columns: readonly Column<BusyKey>[] = [
    { head: words.node, cell: ({ node }) => names.get(node) ?? node },
    {
      head: words.key,
      cell: ({ key }) =>
        key === undefined ? (
          <span title={words.hiddenKey}>{words.unknown}</span>
        ) : (
          <code className={styles.key} title={key}>
            {key === '' ? '""' : key}
          </code>
        ),
    },
    { head: words.share, align: 'right', cell: ({ share }) => words.percent(share) },
  ];
  return (
    <section className={styles.keys}>
      <h2>{words.busiestKeys}</h2>
      <p className={styles.about}>
        {runtime.busiestKeys.length === 0 ? words.noBusyKeys : words.busiestKeysAbout}
      </p>
      {runtime.busiestKeys.length > 0 && (
        <Table
          label={words.busiestKeys}
          columns={columns}
          rows={runtime.busiestKeys.map((key, rank) => ({ ...key, rank }))}
          keyOf={({ rank }) => String(rank)}
        />
      )}
    </section>
  );
}
