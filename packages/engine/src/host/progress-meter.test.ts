import { afterEach, expect, test, vi } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { Counts } from './counts.ts';
import { Deliveries } from './deliveries.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { Recovered } from './recovery.ts';
import { RunFigures } from './run-figures.ts';
import { SkewGate } from './skew-gate.ts';

afterEach(() => vi.useRealTimers());

function setUp() {
  const plan = planOf(
    [
      { id: 'n_in', kind: 'injector' },
      { id: 'n_out', kind: 'sink' },
    ],
    [{ from: 'n_in', to: 'n_out' }],
  );
  const recovered = {
    deliveries: new Deliveries(),
    nodeNumbers: [1, 2],
    paged: { through: 0, unfoldedBytes: 0 },
  } as unknown as Recovered;
  const counts = new Counts(plan, recovered.nodeNumbers);
  const authority = new WatermarkAuthority(1, 2);
  const figures = new RunFigures(plan, recovered, authority, 1, new SkewGate(plan, authority));
  return { counts, figures, meter: new ProgressMeter({ version: { plan } } as never, counts, figures) };
}

test('a sink whose rows are refused after they were counted has no rate below zero', () => {
  const { counts, meter } = setUp();
  meter.read();
  counts.rejected(1, 5);
  const sink = meter.read().nodes[1];
  expect(sink?.outRate).toBe(0);
  expect(sink?.deadLettered).toBe(5);
});

test('a rate is taken from commit to commit, so it does not swing where they are far apart', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { figures, meter } = setUp();
  const seen: number[] = [];
  for (let ms = 0; ms < 4_000; ms += 50) {
    if (ms % 250 === 0) figures.commits.took(5, 1);
    const { bundleRate } = meter.read().commits;
    if (ms >= 2_000) seen.push(bundleRate);
    vi.advanceTimersByTime(50);
  }
  expect(new Set(seen)).toEqual(new Set([4]));
  vi.advanceTimersByTime(1_500);
  expect(meter.read().commits.bundleRate).toBeLessThan(4);
});
