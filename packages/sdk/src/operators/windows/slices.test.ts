import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slicesOf } from './slices-of.ts';
import { hopping, type SlidingWindow } from './window.ts';

/** Straight from N1: every window [start, start + size), start = offset + k · slide, that holds the time. */
function endsOf(time: number, { sizeMs, slideMs, offsetMs }: SlidingWindow): number[] {
  const ends: number[] = [];
  const last = Math.floor((time - offsetMs) / slideMs) * slideMs + offsetMs;
  for (let start = last; start > time - sizeMs; start -= slideMs) ends.push(start + sizeMs);
  return ends.reverse();
}

const windows = fc
  .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), fc.integer({ min: -70, max: 70 }))
  .map(([size, slide, offset]) => hopping(size, slide, { offset }));

describe('slices', () => {
  it('N1: a time belongs to the windows of its slice, for any size, slide, offset and sign', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: -300, max: 300 }), (window, time) => {
        const slices = slicesOf(window);
        const slice = slices.sliceOf(time);
        const ends = endsOf(time, window);
        if (slice === undefined) {
          expect(ends).toEqual([]);
          return;
        }
        expect(slice).toBeLessThanOrEqual(time);
        expect(slices.sliceOf(slice)).toBe(slice);
        expect(slices.firstEnd(slice)).toBe(ends[0]);
        expect(slices.lastEnd(slice)).toBe(ends.at(-1));
        expect(endsOf(slice, window)).toEqual(ends);
      }),
    );
  });

  it('N1: there is one slice a slide where the slide divides the size, and at most two otherwise', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const slices = slicesOf(window);
        const starts = new Set<number>();
        for (let time = 0; time < window.slideMs * 10; time += 1) {
          const slice = slices.sliceOf(time);
          if (slice !== undefined) starts.add(slice);
        }
        const aSlide = window.sizeMs % window.slideMs === 0 ? 1 : 2;
        expect(starts.size).toBeLessThanOrEqual((10 + 1) * aSlide);
      }),
    );
  });

  it('N1: is exact at the ends of time', () => {
    const { sliceOf, lastEnd } = slicesOf(hopping('1d', '1h', { offset: 1 }));
    for (const time of [8_640_000_000_000_000, -8_640_000_000_000_000]) {
      const slice = sliceOf(time)!;
      expect(BigInt(slice - 1) % 3_600_000n).toBe(0n);
      expect(slice).toBeLessThanOrEqual(time);
      expect(time - slice).toBeLessThan(3_600_000);
      expect(Number.isSafeInteger(lastEnd(slice))).toBe(true);
    }
  });
});
