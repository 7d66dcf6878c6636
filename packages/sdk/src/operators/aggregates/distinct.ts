import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction, spellCall, spellValue } from './aggregate-function.ts';
import { hashOf } from './hash.ts';
import { addHash, estimate, mergeSketches, type Sketch } from './hyper-log-log.ts';
import { addToRuns, hasInRuns, mergeRuns, type Runs, sizeOf, sortedOf } from './sorted-runs.ts';

/** What can be told apart: 1 and 1n are one value, 1 and "1" are two. */
export type Countable = string | number | bigint | boolean | Date | null | undefined;

/** How many different values, exactly. Each is kept: for more than some thousands a window see `approxDistinct`. */
export function distinct<T>(of: (value: DeepReadonly<T>) => Countable): AggregateFunction<T, number> {
  requireFunction(of, 'The argument of distinct');
  return aggregateFunction<T, Runs<string>, number>({
    kind: 'distinct',
    create: () => [],
    add(runs, value) {
      const name = nameOf(of(value), 'distinct', of);
      return hasInRuns(runs, name, compareText) ? runs : addToRuns(runs, name, compareText);
    },
    merge(left, right) {
      const fresh = sortedOf(right, compareText).filter((name) => !hasInRuns(left, name, compareText));
      return fresh.length === 0 ? left : mergeRuns(left, [fresh], compareText);
    },
    result: sizeOf,
  });
}

/**
 * How many different values, about: a HyperLogLog of 4 KiB whatever their number is. Exact up to 256; beyond, the
 * standard error is 1.6 %. The order of arrival never shows.
 */
export function approxDistinct<T>(of: (value: DeepReadonly<T>) => Countable): AggregateFunction<T, number> {
  requireFunction(of, 'The argument of approxDistinct');
  return aggregateFunction<T, Sketch, number>({
    kind: 'approxDistinct',
    create: () => [],
    add: (sketch, value) => addHash(sketch, hashOf(nameOf(of(value), 'approxDistinct', of))),
    merge: mergeSketches,
    result: estimate,
  });
}

/** A text for every value, the same for equal ones only. */
function nameOf(value: unknown, kind: string, of: unknown): string {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'bigint':
      return `n${value}`;
    case 'number':
      // −0 is 0, and an integer is spelled as a bigint is.
      return Number.isSafeInteger(value) ? `n${value + 0}` : `n${numberName(value)}`;
    case 'boolean':
    case 'undefined':
      return String(value);
    default:
      if (value === null) return 'null';
      if (value instanceof Date) return `d${value.getTime()}`;
      throw new TypeError(
        `${spellCall(kind, of)} gave ${spellValue(value)} for this record; it must give a string, number, bigint, boolean, Date, null or undefined.`,
      );
  }
}

function numberName(value: number): string {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
