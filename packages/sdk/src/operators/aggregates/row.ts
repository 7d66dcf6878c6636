/**
 * Several named aggregates as one accumulator: what a window stores. One aggregate is stored bare, which
 * saves an array a record.
 */

import type { DeepReadonly } from '../../api.ts';
import type { AggregateFunction } from './aggregate-function.ts';

export type Aggregates<T> = Readonly<Record<string, AggregateFunction<T, unknown>>>;

export type ResultsOf<A> = {
  -readonly [N in keyof A]: A[N] extends AggregateFunction<never, infer R> ? R : never;
};

/** The opaque accumulator of a row; data. */
export type RowAccumulator = unknown;

export interface Row<T> {
  readonly shape: Readonly<Record<string, string>>;
  /** The accumulator of one record. */
  first(value: DeepReadonly<T>): RowAccumulator;
  add(row: RowAccumulator, value: DeepReadonly<T>): RowAccumulator;
  merge(left: RowAccumulator, right: RowAccumulator): RowAccumulator;
  /** Undoes a merge; undefined where that cannot be done. No such function: never. */
  readonly subtract:
    | ((whole: RowAccumulator, part: RowAccumulator) => RowAccumulator | undefined)
    | undefined;
  /** How records are taken off again; no such part: they cannot be. */
  readonly retractions?: Retractions<T>;
  result(row: RowAccumulator): Record<string, unknown>;
}

export interface Retractions<T> {
  /** The accumulator of no record. */
  create(): RowAccumulator;
  /** Throws where an aggregate cannot do that. */
  remove(row: RowAccumulator, value: DeepReadonly<T>): RowAccumulator;
  /** True when every record has been taken off again. */
  isEmpty(row: RowAccumulator): boolean;
}

/** What `countedRow` makes one of that takes retractions. */
export type AggregateRow<T> = Row<T> & Pick<Retractions<T>, 'create' | 'remove'>;

export function rowOf<T>(aggregates: Aggregates<T>): AggregateRow<T> {
  const entries = Object.entries(aggregates);
  for (const [name, each] of entries) requireAggregate(name, each);
  const only = entries[0];
  if (only === undefined) {
    throw new TypeError('aggregate needs at least one aggregate, for instance { records: count() }.');
  }
  return entries.length === 1 ? bareRow(...only) : arrayRow(entries);
}

function bareRow<T>(name: string, only: AggregateFunction<T, unknown>): AggregateRow<T> {
  return {
    shape: shapeOf([[name, only]]),
    create: () => only.create(),
    first: (value) => only.add(only.create(), value),
    add: (row, value) => only.add(row, value),
    merge: (left, right) => only.merge(left, right),
    subtract: only.subtract?.bind(only),
    remove: (row, value) => removed(name, only, row, value),
    result: (row) => resultOf([name], [only.result(row)]),
  };
}

function arrayRow<T>(
  entries: readonly (readonly [string, AggregateFunction<T, unknown>])[],
): AggregateRow<T> {
  const names = entries.map(([name]) => name);
  const functions = entries.map(([, each]) => each);
  return {
    shape: shapeOf(entries),
    create: () => functions.map((each) => each.create()),
    first: (value) => functions.map((each) => each.add(each.create(), value)),
    add: (row, value) => functions.map((each, i) => each.add(cell(row, i), value)),
    merge: (left, right) => functions.map((each, i) => each.merge(cell(left, i), cell(right, i))),
    subtract: functions.every(({ subtract }) => subtract !== undefined)
      ? (whole, part) => subtractAll(functions, whole, part)
      : undefined,
    remove: (row, value) => entries.map(([name, each], i) => removed(name, each, cell(row, i), value)),
    result: (row) =>
      resultOf(
        names,
        functions.map((each, i) => each.result(cell(row, i))),
      ),
  };
}

function removed<T>(
  name: string,
  { kind, remove, subtract, add, create }: AggregateFunction<T, unknown>,
  accumulator: unknown,
  value: DeepReadonly<T>,
): unknown {
  const rest = remove?.(accumulator, value) ?? subtract?.(accumulator, add(create(), value));
  if (rest !== undefined) return rest;
  throw new TypeError(notTakenOff(name, kind));
}

export const notTakenOff = (name: string, kind: string): string =>
  `The aggregate ${JSON.stringify(name)} is a ${kind}, from which no record can be taken off again. count, sum, avg, collect and custom aggregates with "subtract" can take retractions.`;

function subtractAll<T>(
  functions: readonly AggregateFunction<T, unknown>[],
  whole: RowAccumulator,
  part: RowAccumulator,
): RowAccumulator | undefined {
  const rest = functions.map((each, i) => each.subtract?.(cell(whole, i), cell(part, i)));
  return rest.includes(undefined) ? undefined : rest;
}

function cell(row: RowAccumulator, index: number): unknown {
  return (row as readonly unknown[])[index];
}

function shapeOf<T>(
  entries: readonly (readonly [string, AggregateFunction<T, unknown>])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(entries.map(([name, each]) => [name, each.kind]));
}

function resultOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i += 1) result[names[i]!] = values[i];
  return result;
}

function requireAggregate(name: string, each: unknown): void {
  // Assigning to `__proto__` would set a prototype instead of a field.
  if (name === '' || name === '__proto__') {
    throw new TypeError(`An aggregate cannot be named ${JSON.stringify(name)}.`);
  }
  const known = each as Partial<AggregateFunction<unknown, unknown>> | null | undefined;
  if (typeof known?.add !== 'function' || typeof known.merge !== 'function') {
    throw new TypeError(
      `The aggregate ${JSON.stringify(name)} is no aggregate; use count(), sum(…), min(…), max(…), avg(…) or another one of the SDK, or custom(…).`,
    );
  }
}
