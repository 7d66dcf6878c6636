import type { NodeCounts, Summary } from '@millrace/engine';
import { whole } from '../text/numbers.ts';
import type { Style } from '../text/style.ts';
import { type Column, table } from '../text/table.ts';
import { cut, printable } from '../text/width.ts';

type Count = Exclude<
  keyof NodeCounts,
  'node' | 'name' | 'processed' | 'timersDeadLettered' | 'counts' | 'countsCut'
>;

/** Always shown; the rest only where there is something to show (P9: everything delivered is one of them). */
const always: readonly Count[] = ['in', 'out', 'late', 'deadLettered'];
const titles: Readonly<Record<Count, string>> = {
  in: 'in',
  redriven: 'redriven',
  out: 'out',
  late: 'late',
  deadLettered: 'dead-lettered',
  droppedLate: 'dropped late',
  duplicates: 'duplicates',
  setAside: 'set aside',
  waiting: 'waiting',
};

/** The table at the end of a run. */
export function summaryLines(summary: Summary, width: number, style: Style): string[] {
  const counts = (Object.keys(titles) as Count[]).filter(
    (count) => always.includes(count) || summary.nodes.some((node) => node[count] > 0),
  );
  const columns: Column[] = [
    { title: 'node', align: 'left', drop: 0 },
    ...counts.map((count, at) => ({ title: titles[count], align: 'right' as const, drop: at })),
  ];
  const rows = summary.nodes.map((node) => [
    printable(node.name),
    ...counts.map((count) => whole(node[count])),
  ]);
  const [head = '', ...lines] = table(columns, rows, width);
  return [style.dim(head), ...lines, ...summary.nodes.flatMap((node) => countLines(node, width))];
}

/** What `ctx.count` counted, a line a node. */
function countLines({ name, counts, countsCut }: NodeCounts, width: number): string[] {
  const parts = Object.entries(counts).map(([counted, sum]) => `${printable(counted)} ${amount(sum)}`);
  if (countsCut > 0) parts.push(`${whole(countsCut)} not counted: too many names, or no numbers`);
  return parts.length === 0 ? [] : [cut(`${printable(name)}: ${parts.join(' · ')}`, width)];
}

/** A sum may be of fractions. */
function amount(sum: number): string {
  return Number.isSafeInteger(sum) ? whole(sum) : String(sum);
}
