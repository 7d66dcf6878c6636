import { ArrowRightLeft, Ellipsis, Scissors } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useMay } from '../shell/session-store.ts';
import { runtimeWords as words } from '../text/strings/runtime.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { toast } from '../ui/toast-store.ts';
import { type IntervalRow, intervalRows, middleOf } from './interval-rows.ts';
import styles from './runtime-page.module.css';
import type { Runtime } from './slowest-watermark.ts';

export interface IntervalTableProps {
  readonly pipeline: string;
  readonly runtime: Runtime;
  /** Of nodes, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Who owns which keys of which computations, and what moves: intervals can be moved, split and merged by hand. */
export function IntervalTable({ pipeline, runtime, names }: IntervalTableProps) {
  const mayDeploy = useMay('run.deploy');
  const [moving, setMoving] = useState<string>();
  const rows = intervalRows(runtime, names);
  const others = (slot: number) => runtime.workers.map((worker) => worker.slot).filter((of) => of !== slot);
  const give = async (row: IntervalRow, slot: number, from: string): Promise<void> => {
    setMoving(row.id);
    try {
      const range = { from, ...(row.to !== undefined && { to: row.to }) };
      await call('runtime.move', { params: { pipeline }, body: { ...range, nodes: [...row.nodes], slot } });
      toast('ok', words.moved(slot));
    } catch (error) {
      toast('error', (error as Error).message);
    }
    setMoving(undefined);
  };
  const columns: readonly Column<IntervalRow>[] = [
    { head: words.nodes, cell: ({ title, label }) => <span title={title}>{label}</span> },
    {
      head: words.interval,
      cell: ({ from, to }) => (
        <code title={words.intervalAbout}>
          {from}–{to ?? words.toTheEnd}
        </code>
      ),
    },
    { head: words.shareOfKeys, align: 'right', cell: ({ share }) => words.percent(share) },
    {
      head: words.worker,
      align: 'right',
      cell: ({ slot, movesTo }) => (movesTo === undefined ? slot : words.onItsWay(slot, movesTo)),
    },
    {
      head: '',
      align: 'right',
      cell: (row) =>
        mayDeploy &&
        others(row.slot).length > 0 && (
          <Menu
            trigger={
              <IconButton
                icon={Ellipsis}
                label={words.moveOf(row.label, row.from)}
                size="small"
                disabled={moving !== undefined || runtime.move !== undefined}
              />
            }
          >
            {others(row.slot).map((slot) => (
              <MenuItem key={slot} icon={ArrowRightLeft} onSelect={() => void give(row, slot, row.from)}>
                {words.giveTo(slot)}
              </MenuItem>
            ))}
            {middleOf(row) !== undefined &&
              others(row.slot).map((slot) => (
                <MenuItem
                  key={`half ${slot}`}
                  icon={Scissors}
                  onSelect={() => void give(row, slot, middleOf(row) as string)}
                >
                  {words.giveHalfTo(slot)}
                </MenuItem>
              ))}
          </Menu>
        ),
    },
  ];
  if (rows.length === 0) return null;
  return (
    <section className={styles.intervals}>
      <h2>{words.intervals}</h2>
      <p className={styles.about}>{words.intervalsAbout}</p>
      <Table label={words.intervals} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </section>
  );
}
