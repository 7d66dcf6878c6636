import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AggregateFunction } from './aggregate-function.ts';
import { avg } from './avg.ts';
import { count } from './count.ts';
import { max, min } from './extremes.ts';
import { sum } from './sum.ts';

const self = <V>(value: V): V => value;

/** Adds one by one; `cuts` splits the values into groups that are merged, as slices are. */
function run<T, R>(aggregate: AggregateFunction<T, R>, values: readonly T[], group = values.length + 1): R {
  let total = aggregate.create();
  for (let i = 0; i < values.length; i += group) {
    const part = values
      .slice(i, i + group)
      .reduce<unknown>((acc, v) => aggregate.add(acc, v as never), aggregate.create());
    total = i === 0 ? part : aggregate.merge(total, part);
  }
  return aggregate.result(total);
}

it('P12: keeps a date as it was when it came, whatever is done to it afterwards', () => {
  const date = new Date(1);
  const earliest = min<{ at: Date }, Date>((value) => value.at as Date);
  const best = earliest.add(earliest.create(), { at: date } as never);
  date.setTime(2);
  expect(earliest.result(best)).toEqual(new Date(1));
});

const numeric = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
);

describe('sum', () => {
  const total = sum<number | bigint, number | bigint>(self as never);

  it('N7: adds integers, bigints and fractions', () => {
    expect(run(total, [1, 2, 3])).toBe(6);
    expect(run(total, [1n, 2n])).toBe(3n);
    expect(run(total, [0.1, 0.2, 0.3])).toBe(0.6);
    expect(run(total, [])).toBe(0);
    expect(run(total, [-0])).toBe(0);
  });

  it('N7: never loses a digit: past ±2^53 a sum of integers is a bigint, and comes back', () => {
    const top = Number.MAX_SAFE_INTEGER;
    expect(run(total, [top, 1])).toBe(9007199254740992n);
    expect(run(total, [top, top, top, 7])).toBe(27021597764222980n);
    expect(run(total, [top, top, -top])).toBe(top);
    expect(run(total, [-top, -2])).toBe(-9007199254740993n);
    expect(run(total, [10n ** 30n, 1n])).toBe(10n ** 30n + 1n);
  });

  it('a bigint keeps the sum a bigint, a fraction makes it a number', () => {
    expect(run(total, [1n, 1])).toBe(2n);
    expect(run(total, [1, 1n])).toBe(2n);
    expect(run(total, [1n, 0.5])).toBe(1.5);
    expect(run(total, [2n ** 60n, 0.5])).toBe(2 ** 60);
    expect(run(total, [2n ** 60n, 0.5, -(2n ** 60n)])).toBe(0.5);
  });

  it('fractions are added without loss and rounded once', () => {
    expect(run(total, [1e16, 1.5, -1e16])).toBe(1.5);
    expect(run(total, new Array(10).fill(0.1))).toBe(1);
    // Half-way cases: the third part decides (Python's fsum has the same test).
    expect(run(total, [1e16, 1, 1e-16])).toBe(1e16 + 2);
    expect(run(total, [1e16 + 2, -1, -1e-16])).toBe(1e16);
  });

  it('is exactly the rational sum, rounded once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })),
        (values) => {
          const scaled = values.filter((v) => v === 0 || Math.abs(v) > 2 ** -60);
          const exact = scaled.reduce((acc, v) => acc + scale(v), 0n);
          const found = Number(run(total, scaled));
          expect(Math.abs(Number(scale(found) - exact))).toBeLessThanOrEqual(ulpHalf(found));
        },
      ),
    );
  });

  it('order and grouping do not show', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(numeric, fc.bigInt())),
        fc.integer({ min: 1, max: 5 }),
        (values, group) => {
          const forward = run(total, values);
          expect(run(total, [...values].reverse())).toBe(forward);
          expect(run(total, values, group)).toBe(forward);
        },
      ),
    );
  });

  it('a value that is no finite number names the selector and the value', () => {
    const delays = sum((f: { delay: number }) => f.delay);
    expect(() => delays.add(0, {} as never)).toThrow(
      'sum((f) => f.delay) gave undefined for this record; it must give a finite number or a bigint',
    );
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, '1', null, [1]]) {
      expect(() => delays.add(0, { delay: bad } as never)).toThrow(TypeError);
    }
    expect(() => delays.add(0, { delay: new Date(0) } as never)).toThrow('gave a Date for this record');
    expect(() => delays.add(0, { delay: new Date('x') } as never)).toThrow('gave an invalid Date');
  });

  it('a total beyond the range of numbers is an error, not Infinity', () => {
    expect(() => run(total, [1.7e308, 1.7e308])).toThrow(/leaves the range/);
  });
});

describe('avg', () => {
  const mean = avg<number | bigint>(self as never);

  it('N7: is the exact total divided by the count', () => {
    expect(run(mean, [1, 2])).toBe(1.5);
    expect(run(mean, [0.1, 0.2, 0.3])).toBe(0.6 / 3);
    expect(run(mean, [1n, 2n])).toBe(1.5);
    expect(run(mean, [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('order and grouping do not show', () => {
    fc.assert(
      fc.property(fc.array(numeric, { minLength: 1 }), fc.integer({ min: 1, max: 5 }), (values, group) => {
        expect(run(mean, values, group)).toBe(run(mean, [...values].reverse()));
      }),
    );
  });
});

describe('count, min and max', () => {
  it('N7: count counts', () => {
    expect(run(count<unknown>(), [1, null, 'x'])).toBe(3);
    expect(run(count<unknown>(), [1, 2, 3, 4, 5], 2)).toBe(5);
  });

  it('N7: min and max of numbers, bigints, strings and dates', () => {
    expect(run(min<number, number>(self as never), [3, 1, 2])).toBe(1);
    expect(run(max<number, number>(self as never), [3, 1, 2], 1)).toBe(3);
    expect(run(max<bigint, bigint>(self as never), [3n, 2n ** 80n])).toBe(2n ** 80n);
    expect(run(min<string, string>(self as never), ['b', 'a', ''])).toBe('');
    expect(run(max<Date, Date>(self as never), [new Date(2), new Date(1)])).toEqual(new Date(2));
  });

  it('equal values of two kinds give the same one in any order', () => {
    const least = min<number | bigint, number | bigint>(self as never);
    expect(run(least, [1, 1n])).toBe(1);
    expect(run(least, [1n, 1])).toBe(1);
    expect(run(least, [2n ** 53n, 2 ** 53 - 1])).toBe(2 ** 53 - 1);
  });

  it('values that cannot be compared are an error that names them', () => {
    const largest = max((v: { x: unknown }) => v.x as number);
    expect(() => run(largest, [{ x: 1 }, { x: 'a' }])).toThrow(
      'max((v) => v.x) gave a string where the same window holds a number',
    );
    for (const bad of [undefined, Number.NaN, null, {}, new Date(Number.NaN)]) {
      expect(() => largest.add(undefined, { x: bad })).toThrow(/for this record/);
    }
  });
});

/** The double as an integer multiple of 2^-120, exactly. */
function scale(value: number): bigint {
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent += 1;
  }
  return BigInt(mantissa) << BigInt(120 - exponent);
}

function ulpHalf(value: number): number {
  const exponent = value === 0 ? -1074 : Math.floor(Math.log2(Math.abs(value)));
  return 2 ** (Math.max(exponent, -60) - 53 + 120) * 1.000001;
}
