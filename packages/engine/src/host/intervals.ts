/**
 * Whose the keys of a pipeline are: each computation's space of key hashes is cut into half-open intervals, each
 * owned by one slot (docs/decisions/moving-intervals.md).
 *
 * Owns: the tables, the move that is under way and how far it is; what of it is stored.
 * Does not own: what makes it go on (`interval-mover`).
 *
 * Invariant
 *   MV0 (M23)  at any moment the intervals of a node cover all hashes and do not overlap: a table is a list of starts,
 *              the first of which is 0.
 */
import {
  AWAY_SLOT,
  HASH_END,
  type IntervalState,
  type IntervalTable,
  type MovedKeys,
} from '@millrace/protocol';
import { equalIntervals } from '../worker/interval-routes.ts';
import type { Owners } from './frame-rules.ts';

/** Of upper halves of hashes, half-open. */
export interface HashRange {
  readonly start: number;
  readonly end: number;
}

export interface Move extends MovedKeys {
  readonly from: number;
  readonly to: number;
  /** Of its beginning; those behind it say how far it is. */
  readonly step: number;
}

/**
 * `apart`: senders put what is for it into a channel of its own; the old owner still has it. `given`: the old owner's
 * bundle that gave it up is committed. `joined`: the new owner has taken everything that waited.
 */
export type MovePhase = 'apart' | 'given' | 'joined';

/** Behind a move's first step: the old owner gives up, the new one is on its own, everybody knows. */
export const STEP = { apart: 0, given: 1, joined: 2, over: 3 } as const;

/** As stored, by number of a node in the store: plans change. */
export interface StoredIntervals {
  readonly step: number;
  readonly tables: readonly (readonly [node: number, table: IntervalTable])[];
  readonly move?: (Omit<Move, 'nodes'> & { readonly nodes: readonly number[] }) | undefined;
  /** So many workers share the keys when a change of their number is over; undefined: none is under way. */
  readonly goal?: number | undefined;
  /** How many there were when partitions were given out, and then, each less, those that were left to read. */
  readonly readers?: readonly number[] | undefined;
}

export interface CrewFacts {
  readonly slots: number;
  readonly goal: number | undefined;
  readonly readers: readonly number[];
}

export const NO_INTERVALS: StoredIntervals = { step: 0, tables: [] };

export class Intervals implements Owners {
  #slots: number;
  #goal: number | undefined;
  #readers: readonly number[];
  readonly #nodeNumbers: readonly number[];
  /** By plan index; those that are absent are equal. */
  readonly #tables = new Map<number, IntervalTable>();
  readonly #equal: IntervalTable;
  #step: number;
  #move: Move | undefined;
  #phase: MovePhase = 'apart';

  constructor(slots: number, nodeNumbers: readonly number[], stored: StoredIntervals, phase: MovePhase) {
    this.#slots = slots;
    this.#goal = stored.goal;
    this.#readers = stored.readers ?? [slots];
    this.#equal = equalIntervals(slots);
    this.#nodeNumbers = nodeNumbers;
    this.#step = stored.step;
    for (const [number, table] of stored.tables) {
      const node = nodeNumbers.indexOf(number);
      if (node >= 0) this.#tables.set(node, table);
    }
    if (stored.move === undefined) return;
    const nodes = stored.move.nodes.map((number) => nodeNumbers.indexOf(number)).filter((node) => node >= 0);
    this.#move = { ...stored.move, nodes };
    this.#phase = phase;
  }

  /** Workers that there are. */
  get slots(): number {
    return this.#slots;
  }

  get goal(): number | undefined {
    return this.#goal;
  }

  /** Only those below may be given keys: the others are leaving. */
  get staying(): number {
    return Math.min(this.#slots, this.#goal ?? this.#slots);
  }

  /** The last change of all that was begun. */
  get step(): number {
    return this.#step;
  }

  get move(): Move | undefined {
    return this.#move;
  }

  get phase(): MovePhase | undefined {
    return this.#move && this.#phase;
  }

  // ---- whose a key is --------------------------------------------------------------------------------

  /** By committed facts: who may write it, and is asked about it. */
  ownerOf(node: number, high: number): number {
    const move = this.#move;
    if (move !== undefined && this.#phase !== 'apart' && covers(move, node, high)) return move.to;
    return ownerIn(this.tableOf(node), high);
  }

  /** Which channel what is for it goes into. */
  channelOf(node: number, high: number): number {
    const move = this.#move;
    if (move !== undefined && covers(move, node, high)) return AWAY_SLOT;
    return this.ownerOf(node, high);
  }

  rangesOf(node: number, slot: number): HashRange[] {
    const move = this.#move;
    const table = this.tableOf(node);
    if (move === undefined || this.#phase === 'apart' || !move.nodes.includes(node))
      return rangesIn(table, slot);
    return rangesIn(withOwner(table, move, move.to), slot);
  }

  /** What a worker that starts is handed: without what it has to be handed later. */
  startRangesOf(node: number, slot: number): HashRange[] {
    const move = this.#move;
    if (move === undefined || this.#phase !== 'given' || !move.nodes.includes(node))
      return this.rangesOf(node, slot);
    return rangesIn(withOwner(this.tableOf(node), move, AWAY_SLOT), slot);
  }

  tableOf(node: number): IntervalTable {
    return this.#tables.get(node) ?? this.#equal;
  }

  // ---- what workers are told -------------------------------------------------------------------------

  /** Undefined: nothing has ever moved. */
  stateFor(slot: number): IntervalState | undefined {
    if (this.#step === 0) return undefined;
    const move = this.#move;
    if (move === undefined) return { ...this.#told(this.#step), frozen: [], held: [] };
    const { nodes, from, to, step } = move;
    const isParty = slot === from || slot === to;
    if (this.#phase === 'joined') {
      const told = this.#told(step + (slot === to ? STEP.joined : STEP.over), to);
      return { ...told, frozen: [], held: [] };
    }
    const hasGiven = slot === from && this.#phase === 'given';
    const owner = slot === from && !hasGiven ? from : AWAY_SLOT;
    return {
      ...this.#told(step + (hasGiven ? STEP.given : STEP.apart), owner),
      frozen: isParty ? nodes : [],
      held: hasGiven ? nodes : [],
    };
  }

  /** What the old owner is told when it is to give them up: all but that it does. */
  givenState(): IntervalState {
    const { step, nodes } = this.#move as Move;
    return { ...this.#told(step + STEP.given, AWAY_SLOT), frozen: nodes, held: nodes };
  }

  /** What the new owner is told when nothing waits for them any more. */
  joinedState(): IntervalState {
    const { step, to } = this.#move as Move;
    return { ...this.#told(step + STEP.joined, to), frozen: [], held: [] };
  }

  #told(step: number, movedTo?: number): Pick<IntervalState, 'step' | 'tables'> {
    const move = this.#move;
    const tables = this.#nodeNumbers.map((_, node) => {
      const table = this.#tables.get(node) ?? null;
      if (move === undefined || movedTo === undefined || !move.nodes.includes(node)) return table;
      return withOwner(table ?? this.#equal, move, movedTo);
    });
    return { step, tables };
  }

  // ---- how many workers there are --------------------------------------------------------------------

  /** Whose worker reads a partition, by its index. */
  readerOf(partition: number, readers: readonly number[] = this.#readers): number {
    let slot = partition % (readers[0] as number);
    for (const left of readers.slice(1)) if (slot >= left) slot = partition % left;
    return slot;
  }

  /** Who reads when only the first `slots` are left. */
  readersAmong(slots: number): readonly number[] {
    return slots < Math.min(...this.#readers) ? [...this.#readers, slots] : this.#readers;
  }

  /** Between two moves, to be stored: what `changed` makes of it. `computations`: by plan index. */
  storedChange({ goal, readers }: CrewFacts, computations: readonly number[]): StoredIntervals {
    const tables = new Map(computations.map((node) => [node, this.tableOf(node)] as const));
    return { ...this.#stored(tables, this.#step + STEP.over + 1), goal, readers };
  }

  /** The tables are explicit from here on, for equal ones would be others. */
  changed({ slots, goal, readers }: CrewFacts, computations: readonly number[]): void {
    for (const node of computations) this.#tables.set(node, this.tableOf(node));
    this.#step += STEP.over + 1;
    this.#slots = slots;
    this.#goal = goal;
    this.#readers = readers;
  }

  get readers(): readonly number[] {
    return this.#readers;
  }

  // ---- how a move goes on ----------------------------------------------------------------------------

  /** The next move, to be stored before anybody hears of it. */
  next(wanted: Omit<Move, 'step'>): Move {
    return { ...wanted, step: this.#step + STEP.over + 1 };
  }

  begin(move: Move): void {
    this.#move = move;
    this.#phase = 'apart';
    this.#step = move.step;
  }

  given(): void {
    this.#phase = 'given';
  }

  joined(): void {
    this.#phase = 'joined';
  }

  over(): void {
    const move = this.#move as Move;
    for (const node of move.nodes) this.#tables.set(node, withOwner(this.tableOf(node), move, move.to));
    this.#step = move.step + STEP.over;
    this.#move = undefined;
  }

  /** To be stored when `move` begins; */
  storedWith(move: Move): StoredIntervals {
    return {
      ...this.#stored(this.#tables, move.step),
      move: { ...move, nodes: move.nodes.map(this.#number) },
    };
  }

  /** and when it is over. */
  storedWithout(): StoredIntervals {
    const move = this.#move as Move;
    const tables = new Map(this.#tables);
    for (const node of move.nodes) tables.set(node, withOwner(this.tableOf(node), move, move.to));
    return this.#stored(tables, move.step + STEP.over);
  }

  readonly #number = (node: number): number => this.#nodeNumbers[node] as number;

  #stored(tables: ReadonlyMap<number, IntervalTable>, step: number): StoredIntervals {
    return {
      step,
      tables: [...tables].map(([node, table]) => [this.#number(node), table] as const),
      goal: this.#goal,
      readers: this.#readers,
    };
  }
}

function covers({ nodes, start, end }: Move, node: number, high: number): boolean {
  return high >= start && high < end && nodes.includes(node);
}

/** The same table with one range owned by somebody else; neighbours of one owner become one interval (merge). */
export function withOwner(table: IntervalTable, { start, end }: HashRange, owner: number): IntervalTable {
  const kept = table.filter(([at]) => at < start || at >= end);
  const cut: [number, number][] = [...kept.map(([at, of]): [number, number] => [at, of]), [start, owner]];
  if (end < HASH_END && !kept.some(([at]) => at === end)) cut.push([end, ownerIn(table, end)]);
  cut.sort(([a], [b]) => a - b);
  return cut.filter(([, of], i) => i === 0 || cut[i - 1]?.[1] !== of);
}

export function ownerIn(table: IntervalTable, high: number): number {
  let owner = 0;
  for (const [start, of] of table) {
    if (start > high) break;
    owner = of;
  }
  return owner;
}

export function rangesIn(table: IntervalTable, owner: number): HashRange[] {
  return table.flatMap(([start, of], i) =>
    of === owner ? [{ start, end: table[i + 1]?.[0] ?? HASH_END }] : [],
  );
}
