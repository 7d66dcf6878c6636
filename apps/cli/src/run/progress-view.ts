/**
 * What a running pipeline looks like on a terminal: a pure function of its progress. `live-view.ts` draws it.
 */

import type { Progress } from '@millrace/engine';
import { bytes, duration, perSecond, whole } from '../text/numbers.ts';
import type { Style } from '../text/style.ts';
import { type Column, table } from '../text/table.ts';
import { cut, printable } from '../text/width.ts';
import { watermarkText } from './watermark-text.ts';

export interface View {
  readonly title: string;
  readonly elapsedMs: number;
  /** Wall time, for "behind". */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
}

const columns: readonly Column[] = [
  { title: 'node', align: 'left', drop: 0 },
  { title: 'in', align: 'right', drop: 3 },
  { title: 'out', align: 'right', drop: 4 },
  { title: 'records/s', align: 'right', drop: 0 },
  { title: 'watermark', align: 'left', drop: 1 },
  { title: 'backlog', align: 'right', drop: 2 },
];

/** Lines at most `columns` wide and fewer than `rows` of them, so that they can be drawn over in place. */
export function progressLines(progress: Progress, view: View): string[] {
  const { style } = view;
  const [titles = '', ...nodes] = table(
    columns,
    progress.nodes.map((n) => cells(n, view.now)),
    view.columns,
  );
  const room = Math.max(1, view.rows - 4);
  const hidden = nodes.length > room ? nodes.length - room + 1 : 0;
  const shown = hidden > 0 ? nodes.slice(0, room - 1) : nodes;
  return [
    style.bold(cut(headline(progress, view), view.columns)),
    style.dim(titles),
    ...shown,
    ...(hidden > 0 ? [style.dim(cut(`… and ${hidden} more nodes`, view.columns))] : []),
  ];
}

/** The same in one line, for a log. */
export function progressLine(progress: Progress, view: Pick<View, 'elapsedMs' | 'now'>): string {
  const backlog = progress.nodes.reduce((sum, node) => sum + node.backlog, 0);
  const last = progress.nodes.at(-1);
  return [
    `${duration(view.elapsedMs)}: ${perSecond(injected(progress))} records/s`,
    ...(last ? [`watermark ${watermarkText(last.watermark, view.now)}`] : []),
    `backlog ${whole(backlog)}${fullest(progress, backlog)}`,
    ...(progress.unfoldedBytes > 0 ? [`${bytes(progress.unfoldedBytes)} to fold`] : []),
  ].join(' · ');
}

function headline(progress: Progress, view: View): string {
  const parts = [
    printable(view.title),
    duration(view.elapsedMs),
    `${perSecond(injected(progress))} records/s`,
    ...(progress.unfoldedBytes > 0 ? [`${bytes(progress.unfoldedBytes)} to fold`] : []),
  ];
  return parts.join(' · ');
}

type Node = Progress['nodes'][number];

function cells(node: Node, now: number): string[] {
  return [
    printable(node.name),
    whole(node.in),
    whole(node.out),
    perSecond(Math.max(node.inRate, node.outRate)),
    watermarkText(node.watermark, now),
    node.backlog > 0 ? whole(node.backlog) : '',
  ];
}

/** Records that come in from outside. */
function injected(progress: Progress): number {
  return progress.nodes.filter((n) => n.kind === 'injector').reduce((sum, n) => sum + n.outRate, 0);
}

function fullest(progress: Progress, backlog: number): string {
  if (backlog === 0) return '';
  const node = progress.nodes.reduce((a, b) => (b.backlog > a.backlog ? b : a));
  return ` (${printable(node.name)} ${whole(node.backlog)})`;
}
