import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approxDistinct, quantiles } from '../../index.ts';

describe('approximate distinct', () => {
  const each = approxDistinct<number | string>((v) => v);
  const sketchOf = (values: readonly (number | string)[]) =>
    values.reduce<unknown>((sketch, v) => each.add(sketch, v as never), each.create());

  it('N7: is exact for few, and within three standard errors (4.8 %) for many, of numbers and texts', () => {
    for (const [n, name] of [
      [256, (i: number) => i],
      [257, (i: number) => `user-${i}`],
      [2_000, (i: number) => i * 1000],
      [10_000, (i: number) => `https://example.org/${i}`],
      [60_000, (i: number) => i],
    ] as const) {
      const found = each.result(sketchOf(Array.from({ length: n }, (_, i) => name(i))));
      if (n <= 256) expect(found).toBe(n);
      else expect(Math.abs(found / n - 1)).toBeLessThan(0.048);
    }
  });

  it('N7: neither order nor grouping shows', () => {
    const many = fc.array(fc.nat(900), { minLength: 0, maxLength: 700, size: 'max' });
    fc.assert(
      fc.property(many, fc.nat(700), (values, cut) => {
        const whole = sketchOf(values);
        const parts = each.merge(sketchOf(values.slice(cut)), sketchOf(values.slice(0, cut)));
        expect(parts).toEqual(whole);
        expect(sketchOf([...values].reverse())).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});

describe('quantiles', () => {
  const at = [0, 0.01, 0.25, 0.5, 0.99, 1];
  const each = quantiles<number>((v) => v, at);
  const digestOf = (values: readonly number[]) =>
    values.reduce<unknown>((digest, v) => each.add(digest, v), each.create());

  it('N7: are exact and without order for up to 512 values, also where they were added up in parts', () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(numbers, fc.nat(80), (values, cut) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = at.map((q) => {
          const place = q * (sorted.length - 1);
          const low = sorted[Math.floor(place)]!;
          return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place));
        });
        const found = each.result(each.merge(digestOf(values.slice(cut)), digestOf(values.slice(0, cut))));
        for (const [i, value] of found.entries()) expect(value).toBeCloseTo(exact[i]!, 6);
      }),
    );
    expect(each.result(digestOf(Array.from({ length: 512 }, (_, i) => 511 - i)))[3]).toBe(255.5);
  });

  it('N7: are within 1 % of the rank beyond, near the ends within 0.1 %, in one piece or merged', () => {
    // Skewed, so that a wrong rank shows.
    const values = Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 20_000) ** 2);
    const parts = [0, 1, 2, 3].map((part) => digestOf(values.filter((_, i) => i % 4 === part)));
    for (const digest of [digestOf(values), parts.reduce((a, b) => each.merge(a, b))]) {
      const ranks = each.result(digest).map((value) => Math.sqrt(value) / 20_000);
      expect(ranks[0]).toBe(0);
      expect(ranks.at(-1)).toBe(19_999 / 20_000);
      for (const [i, q] of at.entries()) {
        expect(Math.abs(ranks[i]! - q)).toBeLessThan(q < 0.05 || q > 0.95 ? 0.001 : 0.01);
      }
    }
  });

  it('N7: the same input in the same order gives the same, to the last bit', () => {
    const values = Array.from({ length: 3_000 }, (_, i) => Math.sin(i) * 1e6);
    expect(each.result(digestOf(values))).toEqual(each.result(digestOf(values)));
    expect(JSON.stringify(digestOf(values)).length).toBeLessThan(12_000);
  });

  it('wrong quantiles are refused', () => {
    expect(() => quantiles((v: number) => v, [])).toThrow('list of quantiles');
    expect(() => quantiles((v: number) => v, [50])).toThrow('A quantile is 50');
    expect(() => each.add(each.create(), Number.NaN)).toThrow('gave NaN');
  });
});
