/**
 * Who owns which keys, as a worker is told: at its start, and in an `intervals` frame when it changes.
 *
 * A computation's space of key hashes is cut into half-open intervals by the upper 32 bits of the hash.
 */

/**
 * A batch for the keys of an interval that is between two owners. It waits in a channel of its own, with a mark of its
 * own, until the new owner takes it.
 */
export const AWAY_SLOT = 0xfffe;

/** One past the last upper half of a hash. */
export const HASH_END = 4294967296;

/** First hash of each interval, ascending from 0, and who owns it: a slot, or `AWAY_SLOT`. */
export type IntervalTable = readonly (readonly [start: number, owner: number])[];

export interface IntervalState {
  /** Grows with every change; the worker's next bundle says which one it has come to. */
  readonly step: number;
  /** By plan index; null: one equal interval for each slot. */
  readonly tables: readonly (IntervalTable | null)[];
  /** Plan indices of computations whose input watermark stands still. */
  readonly frozen: readonly number[];
  /** The same of their output watermark. */
  readonly held: readonly number[];
}

export interface MovedKeys {
  /** Plan indices. */
  readonly nodes: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** Where a node's watermarks stood on the old owner. */
export interface InheritedWatermarks {
  readonly node: number;
  readonly in: number | undefined;
  readonly inputEnded: boolean;
  /** The output of the new owner may not be ahead of it; undefined: `mayStay`, or there was none. */
  readonly out: number | undefined;
  /** The old owner's output held nobody: the new owner's stays where it is. */
  readonly mayStay: boolean;
}

export interface IntervalChange extends IntervalState {
  /** These keys leave with the bundle that says so. */
  readonly gives?: MovedKeys | undefined;
  /** Only if nothing was sent to the channel in between after this bundle: what is local would overtake it. */
  readonly through?: number | undefined;
}
