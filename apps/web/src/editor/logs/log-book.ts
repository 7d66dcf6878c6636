/** The lines of a log that are shown: the newest, within a bound. Pure. */
import type { ShownLogLine } from '@millrace/protocol/api';
import type { LogBatch } from '../../sockets/watch-logs.ts';

export interface LogBook {
  /** Oldest first. */
  readonly lines: readonly ShownLogLine[];
  /** Number of the newest that came, shown or cleared. */
  readonly through: number;
  readonly cut: number;
  readonly missed: number;
}

export const NO_LINES: LogBook = { lines: [], through: 0, cut: 0, missed: 0 };
const MOST_LINES = 2_000;

export function takeLines(book: LogBook, { lines, cut, missed, restarted }: LogBatch): LogBook {
  // Numbers begin again with the engine: what was shown of before stays readable until it is pushed out.
  const last = restarted ? 0 : book.through;
  const fresh = lines.filter(({ number }) => number > last);
  return {
    lines: [...book.lines, ...fresh].slice(-MOST_LINES),
    through: fresh.at(-1)?.number ?? last,
    cut: book.cut + cut,
    missed: book.missed + missed,
  };
}

export type Level = ShownLogLine['level'];
export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];

export interface LogFilter {
  readonly text: string;
  readonly level: Level;
  /** Undefined: of all. */
  readonly nodes: ReadonlySet<string> | undefined;
  /** `nodes/x.ts:3`, instead of nodes. */
  readonly place: string | undefined;
}

export function linesThatFit(
  lines: readonly ShownLogLine[],
  { text, level, nodes, place }: LogFilter,
): readonly ShownLogLine[] {
  const least = LEVELS.indexOf(level);
  const wanted = text.trim().toLowerCase();
  return lines.filter(
    (line) =>
      LEVELS.indexOf(line.level) >= least &&
      (place === undefined ? (nodes?.has(line.node) ?? true) : lineOf(line) === place) &&
      (line.text.toLowerCase().includes(wanted) || line.key.toLowerCase().includes(wanted)),
  );
}

/** Of `nodes/x.ts:3:7` the part that names the line. */
export const lineOf = ({ place }: ShownLogLine): string | undefined => place?.replace(/:\d+$/, '');
