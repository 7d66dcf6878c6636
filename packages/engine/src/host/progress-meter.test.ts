import { expect, test } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { Counts } from './counts.ts';
import { Deliveries } from './deliveries.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { Recovered } from './recovery.ts';
import { RunFigures } from './run-figures.ts';
import { SkewGate } from './skew-gate.ts';

test('a sink whose rows are refused after they were counted has no rate below zero', async () => {
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
  const meter = new ProgressMeter({ version: { plan } } as never, counts, figures);
  meter.read();
  counts.rejected(1, 5);
  const sink = meter.read().nodes[1];
  expect(sink?.outRate).toBe(0);
  expect(sink?.deadLettered).toBe(5);
});
