/**
 * What `aggregate` needs of an aggregate (N7). Accumulators are data (they are stored), and values: `add` and
 * `merge` return a new one and leave their arguments as they were, since partial sums are shared by windows.
 *
 * `merge` is associative and commutative, and `result` depends only on the records added, never on their
 * order or grouping: arrival order, slicing, restarts and the number of workers must not show.
 */

import type { DeepReadonly } from '../../api.ts';

export interface AggregateFunction<T, R> {
  /** Part of the operator's `stateShape`: names what the accumulator is made of (Y2). */
  readonly kind: string;
  create(): unknown;
  add(accumulator: unknown, value: DeepReadonly<T>): unknown;
  merge(left: unknown, right: unknown): unknown;
  /** What `whole` was before `part` was merged into it; undefined where that cannot be told from the two. */
  subtract?(whole: unknown, part: unknown): unknown;
  /** Takes off a record that was added; undefined where that cannot be told. Default: by `subtract`. */
  remove?(accumulator: unknown, value: DeepReadonly<T>): unknown;
  result(accumulator: unknown): R;
}

interface TypedAggregate<T, A, R> {
  readonly kind: string;
  create(): A;
  add(accumulator: A, value: DeepReadonly<T>): A;
  merge(left: A, right: A): A;
  subtract?(whole: A, part: A): A | undefined;
  remove?(accumulator: A, value: DeepReadonly<T>): A | undefined;
  result(accumulator: A): R;
}

/** Hides the accumulator's type: only the functions of one aggregate ever see its accumulators. */
export function aggregateFunction<T, A, R>(typed: TypedAggregate<T, A, R>): AggregateFunction<T, R> {
  return typed as AggregateFunction<T, R>;
}

/** The text of a selector for a message: `sum((f) => f.delay)`. */
export function spellCall(kind: string, of: unknown): string {
  const text = String(of).replace(/\s+/g, ' ');
  return `${kind}(${text.length > 60 ? `${text.slice(0, 57)}...` : text})`;
}

export function spellValue(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
