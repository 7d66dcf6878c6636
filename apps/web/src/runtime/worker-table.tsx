import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { formatBytes, formatCount, formatFull } from '../text/format-number.ts';
import { runtimeWords as words } from '../text/strings/runtime.ts';
import { Badge } from '../ui/badge.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { EventTime } from '../ui/time.tsx';
import styles from './runtime-page.module.css';
import { cpuShare, type Runtime, slowestWatermark, type WorkerRuntime } from './slowest-watermark.ts';
import { WorkerCount } from './worker-count.tsx';

export interface WorkerTableProps {
  readonly pipeline: string;
  readonly runtime: Runtime;
  /** The answer before: what is a rate is told between the two. */
  readonly before: Runtime | undefined;
  /** Of nodes, by id. */
  readonly names: ReadonlyMap<string, string>;
}

const STATES = {
  starting: { icon: LoaderCircle, tone: 'neutral' },
  running: { icon: CircleCheck, tone: 'ok' },
  dead: { icon: CircleX, tone: 'error' },
} as const;

/** One row a worker: how much it owns, and how it does. */
export function WorkerTable({ pipeline, runtime, before, names }: WorkerTableProps) {
  const columns: readonly Column<WorkerRuntime>[] = [
    { head: words.worker, align: 'right', cell: ({ slot }) => slot },
    { head: words.shareOfKeys, align: 'right', cell: ({ share }) => words.percent(share) },
    { head: words.sequencer, align: 'right', cell: ({ sequencer }) => sequencer ?? words.unknown },
    {
      head: words.state,
      cell: ({ state }) => (
        <Badge bare {...STATES[state]}>
          {words.states[state]}
        </Badge>
      ),
    },
    {
      head: words.restarts,
      align: 'right',
      cell: ({ restarts, lastEnd }) => (
        <span title={lastEnd && words.lastEnd(lastEnd.reason)}>{formatFull(restarts)}</span>
      ),
    },
    {
      head: words.cpu,
      align: 'right',
      cell: ({ slot }) => {
        const share = cpuShare(before, runtime, slot);
        return share === undefined ? words.unknown : words.percent(share);
      },
    },
    {
      head: words.memory,
      align: 'right',
      cell: ({ residentBytes }) => (residentBytes === undefined ? words.unknown : formatBytes(residentBytes)),
    },
    { head: words.workerBundles, align: 'right', cell: ({ bundles }) => formatCount(bundles) },
    {
      head: words.busyWith,
      align: 'right',
      cell: ({ running, waiting }) => `${formatCount(running)} · ${formatCount(waiting)}`,
    },
    { head: words.queued, align: 'right', cell: ({ queuedBytes }) => formatBytes(queuedBytes) },
    { head: words.watermark, cell: (worker) => <Slowest worker={worker} names={names} /> },
  ];
  return (
    <section className={styles.workers}>
      <div className={styles.sectionHead}>
        <h2>{words.workers}</h2>
        <WorkerCount pipeline={pipeline} runtime={runtime} />
      </div>
      <Table
        label={words.workers}
        columns={columns}
        rows={runtime.workers}
        keyOf={({ slot }) => String(slot)}
      />
    </section>
  );
}

interface SlowestProps {
  readonly worker: WorkerRuntime;
  readonly names: ReadonlyMap<string, string>;
}

function Slowest({ worker, names }: SlowestProps) {
  const slowest = slowestWatermark(worker, names);
  if (slowest === undefined) return words.unknown;
  const { node, watermark } = slowest;
  return (
    <>
      {names.get(node) ?? node} {watermark.kind === 'at' && <EventTime at={watermark.time} />}
      {watermark.kind === 'not-yet' && words.notYet}
      {watermark.kind === 'idle' && words.idle}
      {watermark.kind === 'ended' && words.ended}
    </>
  );
}
