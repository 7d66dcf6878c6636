import { expect, test } from 'vitest';
import { InputOrigins } from './input-origins.ts';
import { LatencyMeter } from './latency-meter.ts';

test('quantiles are those of the last ten seconds, made anew twice a second at most', () => {
  const meter = new LatencyMeter();
  for (let ms = 1; ms <= 100; ms++) meter.took(0, ms, 1_000);
  expect(meter.of(0, 1_000)).toEqual({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
  meter.took(0, 9_000, 11_500);
  expect(meter.of(0, 1_400)).toEqual({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
  expect(meter.of(0, 11_500)).toEqual({ p50Ms: 9_000, p95Ms: 9_000, p99Ms: 9_000 });
  expect(meter.of(0, 60_000)).toBeUndefined();
  expect(meter.of(1, 0)).toBeUndefined();
});

test('a bundle has the origin of the oldest input it finishes, or of the chunk it is in the middle of', () => {
  const origins = new InputOrigins();
  expect(origins.take(9)).toBeUndefined();
  origins.add(1, 100);
  origins.add(2, 50);
  origins.add(3, 300);
  expect(origins.take(2)).toBe(50);
  expect(origins.take(2)).toBe(300);
  expect(origins.take(3)).toBe(300);
  expect(origins.take(3)).toBeUndefined();
});
