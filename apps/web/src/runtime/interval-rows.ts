/** The intervals of a run as rows. Pure. */
import type { Runtime } from './slowest-watermark.ts';

export interface IntervalRow {
  readonly id: string;
  /** Ids. */
  readonly nodes: readonly string[];
  /** Their names, cut short, and whole. */
  readonly label: string;
  readonly title: string;
  readonly from: string;
  /** Absent: where all end. */
  readonly to: string | undefined;
  /** Of all key hashes. */
  readonly share: number;
  readonly slot: number;
  /** Some of it is on its way to this worker. */
  readonly movesTo: number | undefined;
}

const END = 2 ** 32;
const MOST_NAMES = 2;

const startOf = (hash: string | undefined): number => (hash === undefined ? END : Number.parseInt(hash, 16));

export function intervalRows(
  { intervals, move }: Runtime,
  names: ReadonlyMap<string, string>,
): IntervalRow[] {
  return intervals.flatMap((group) => {
    const all = group.nodes.map((node) => names.get(node) ?? node);
    const more = all.length - MOST_NAMES;
    const label = more > 0 ? `${all.slice(0, MOST_NAMES).join(', ')} +${more}` : all.join(', ');
    return group.intervals.map(({ from, to, slot }) => ({
      id: `${group.nodes[0]} ${from}`,
      nodes: group.nodes,
      label,
      title: all.join(', '),
      from,
      to,
      share: (startOf(to) - startOf(from)) / END,
      slot,
      movesTo:
        move !== undefined &&
        move.oldSlot === slot &&
        move.nodes.some((node) => group.nodes.includes(node)) &&
        startOf(move.from) < startOf(to) &&
        startOf(move.to) > startOf(from)
          ? move.newSlot
          : undefined,
    }));
  });
}

/** Where the upper half begins; undefined of an interval for a single hash. */
export function middleOf({ from, to }: Pick<IntervalRow, 'from' | 'to'>): string | undefined {
  const start = startOf(from);
  const middle = Math.floor((start + startOf(to)) / 2);
  return middle > start ? middle.toString(16).padStart(8, '0') : undefined;
}
