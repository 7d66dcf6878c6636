import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, count, custom, distinct, sum, topK } from '../../index.ts';
import type { AggregateFunction } from './aggregate-function.ts';
import { countedRow } from './counted-row.ts';
import { compareData } from './data-order.ts';
import { rowOf } from './row.ts';

type Value = number | bigint | string;
const values = fc.array(
  fc.oneof(fc.integer({ min: -9, max: 9 }), fc.bigInt({ min: -9n, max: 9n }), fc.constantFrom('1', 'a', '')),
  { maxLength: 60 },
);

/** Adds and merges in whatever way the numbers say. */
function grouped<T, R>(each: AggregateFunction<T, R>, given: readonly T[], cuts: readonly number[]): R {
  const parts = cuts.map(() => each.create());
  for (const [i, value] of given.entries()) {
    const at = (cuts[i % cuts.length] ?? 0) % cuts.length;
    parts[at] = each.add(parts[at], value as never);
  }
  return each.result(parts.reduce((a, b) => each.merge(a, b)));
}

const cuts = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });

function expectOf<T, R>(each: AggregateFunction<T, R>, arbitrary: fc.Arbitrary<T[]>, batch: (all: T[]) => R) {
  fc.assert(
    fc.property(arbitrary, cuts, (given, at) => {
      expect(grouped(each, given, at)).toEqual(batch(given));
    }),
  );
}

describe('aggregates that keep values', () => {
  it('N7: distinct is the size of the set, where 1 and 1n are one value and "1" another', () => {
    expectOf(
      distinct<Value>((v) => v),
      values,
      (all) => new Set(all.map((v) => (typeof v === 'string' ? `s${v}` : String(v)))).size,
    );
    const each = distinct<unknown>((v) => v as never);
    const all = [0, -0, 0n, null, undefined, true, 'true', new Date(0), 2 ** 60, 2n ** 60n, 0.5];
    expect(grouped(each, all, [0])).toBe(8);
    expect(() => grouped(each, [{}], [0])).toThrow('gave an object for this record');
  });

  it('N7: collect is the sorted list of all values, whatever came first', () => {
    expectOf(
      collect<Value, Value>((v) => v as Value),
      values,
      (all) => [...all].sort(compareData),
    );
  });

  it('N7: top-k is the head of the sorted list, with a tie-break that is not the order of arrival', () => {
    const records = fc.array(
      fc.record({ rank: fc.integer({ min: 0, max: 5 }), name: fc.constantFrom('a', 'b', 'c', 'd') }),
      { maxLength: 40 },
    );
    for (const order of ['largest', 'smallest'] as const) {
      const sign = order === 'largest' ? -1 : 1;
      const sorted = (all: { rank: number; name: string }[]) =>
        [...all].sort((a, b) => sign * (a.rank - b.rank) || (a.name < b.name ? -1 : 1));
      const options = { k: 3, by: (v: { rank: number }) => v.rank, order };
      expectOf(
        topK((v: { rank: number; name: string }) => v.name, options),
        records,
        (all) =>
          sorted(all)
            .slice(0, 3)
            .map((v) => v.name),
      );
      expectOf(
        topK((v: { rank: number; name: string }) => v.name, { ...options, ties: 'keep' }),
        records,
        (all) => {
          const last = sorted(all)[2]?.rank;
          return sorted(all)
            .filter((v, i) => i < 3 || v.rank === last)
            .map((v) => v.name);
        },
      );
    }
  });

  it('R45: the first 5,000 of 20,000 rows with ties are those of a sorted list', () => {
    const each = topK<number, number>((v) => v, { k: 5000, by: (v) => v % 100 });
    const all = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_000);
    let [left, right] = [each.create(), each.create()];
    for (const [i, v] of all.slice(0, 300).entries()) {
      if (i % 2 === 0) left = each.add(left, v);
      else right = each.add(right, v);
    }
    const few = each.result(each.merge(left, right));
    expect(few).toEqual(all.slice(0, 300).sort((a, b) => (b % 100) - (a % 100) || a - b));
    const parts = [0, 1, 2, 3].map((part) =>
      all.filter((v) => v % 4 === part).map((v): [number, number] => [v % 100, v]),
    );
    const merged = parts.reduce<unknown>((a, b) => each.merge(a, b), each.create());
    expect(each.result(merged)).toEqual(
      [...all].sort((a, b) => (b % 100) - (a % 100) || a - b).slice(0, 5000),
    );
  });

  it('wrong settings of top-k are refused', () => {
    const by = (v: number) => v;
    expect(() => topK(by, { k: 0, by })).toThrow('k = 0');
    expect(() => topK(by, { k: 1, by: 3 as never })).toThrow('The setting by of topK');
    expect(() => topK(by, { k: 1, by, order: 'up' as never })).toThrow('order "up"');
    expect(() => topK(by, { k: 1, by, ties: 'all' as never })).toThrow('ties "all"');
    const mixed = topK<unknown, number>(() => 1, { k: 1, by: (v) => v as never });
    expect(() => grouped(mixed, [1, 'a'], [0])).toThrow('one window must hold one kind of value');
  });
});

describe('an aggregate of one’s own', () => {
  const longest = custom<string, { text: string }, string>({
    create: () => ({ text: '' }),
    add(kept, value) {
      // Changed in place, which is allowed.
      if (value.length > kept.text.length || (value.length === kept.text.length && value < kept.text))
        kept.text = value;
      return kept;
    },
    merge: (left, right) =>
      left.text.length > right.text.length ||
      (left.text.length === right.text.length && left.text < right.text)
        ? left
        : right,
    result: (kept) => kept.text,
  });

  it('N7: may change what it is given, and shared accumulators stay as they were', () => {
    const kept = longest.add(longest.create(), 'ab');
    const more = longest.add(kept, 'abc');
    expect(longest.result(longest.merge(kept, more))).toBe('abc');
    expect(longest.result(kept)).toBe('ab');
  });

  it('P12: what is no data is refused with the function that gave it', () => {
    const odd = custom<number, unknown, number>({
      create: () => new Map(),
      add: (map) => map,
      merge: (map) => map,
      result: () => 0,
    });
    expect(() => odd.create()).toThrow('the accumulator that create of "custom" gave');
    expect(() => custom({ create: () => 0 } as never)).toThrow('The function add of a custom aggregate');
  });
});

describe('taking records off again', () => {
  it('N3: of count, sum, avg-like, collect and custom ones with an inverse, the rest is what it was without them', () => {
    const row = countedRow(
      rowOf<number>({
        n: count(),
        total: sum((v: number) => v),
        all: collect((v: number) => v),
        own: custom<number, number, number>({
          create: () => 0,
          add: (a, v) => a + v,
          merge: (a, b) => a + b,
          subtract: (a, b) => a - b,
          result: (a) => a,
        }),
      }),
    );
    const numbers = fc.array(fc.oneof(fc.integer({ min: -99, max: 99 }), fc.constantFrom(0.1, 0.25)));
    fc.assert(
      fc.property(numbers, numbers, (kept, gone) => {
        const add = (content: unknown, all: readonly number[]) =>
          all.reduce((a, v) => row.add(a, v), content);
        const without = add(row.retractions.create(), kept);
        const rest = gone.reduceRight(
          (a, v) => row.retractions.remove(a, v),
          add(add(row.retractions.create(), gone), kept),
        );
        const close = (result: Record<string, unknown>) => ({
          ...result,
          own: Math.round(Number(result.own) * 1e6) + 0,
        });
        expect(close(row.result(rest))).toEqual(close(row.result(without)));
        expect(row.retractions.isEmpty(rest)).toBe(kept.length === 0);
      }),
    );
  });

  it('N3: an aggregate without a way back says so', () => {
    const row = rowOf<number>({ d: distinct((v: number) => v) });
    expect(() => row.remove(row.first(1), 1)).toThrow(
      '"d" is a distinct, from which no record can be taken off',
    );
  });
});
