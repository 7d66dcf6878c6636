import { cut, pad, widthOf } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Columns with the highest number are the first to go when the terminal is narrow; 0 stays. */
  readonly drop: number;
}

const gap = '  ';
const narrowest = 6;

/**
 * Rows as lines at most `width` wide, the title line first. In a narrow terminal columns are left out, then the
 * first one is cut: a wrapped line could not be redrawn in place.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const cells = [columns.map((c) => c.title), ...rows];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const kept = columns.map((_, at) => at);
  const total = () => kept.reduce((sum, at) => sum + (widths[at] ?? 0), gap.length * (kept.length - 1));
  while (total() > width && total() - (widths[0] ?? 0) + narrowest > width) {
    const next = kept.reduce((a, b) => (columns[b]!.drop >= columns[a]!.drop ? b : a));
    if (columns[next]?.drop === 0) break;
    kept.splice(kept.indexOf(next), 1);
  }
  const over = total() - width;
  if (over > 0) widths[0] = Math.max(1, (widths[0] ?? 0) - over);
  return cells.map((row) => {
    const line = kept.map((at) =>
      pad(cut(row[at] ?? '', widths[at] ?? 0), widths[at] ?? 0, columns[at]?.align ?? 'left'),
    );
    return cut(line.join(gap).trimEnd(), width);
  });
}
