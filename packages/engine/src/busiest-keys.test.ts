/** In a running pipeline: which keys have the most input is found over all workers, and named. */
import { computation } from '@millrace/sdk';
import { expect, it, vi } from 'vitest';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const count = computation<{ in: { k: string } }, Record<never, never>, number>({
  processRecord: (_, ctx) => ctx.state.set((ctx.state.get() ?? 0) + 1),
});
const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'in' } },
    { id: 'n_count', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_count', keyed: true }],
);
const code = {
  nodes: { n_count: count },
  keyBy: { s_0: (v: { k: string }) => v.k },
  timestamps: {},
  values: {},
};

it('names the key that has a third of the input, with its share, and none of the others', async () => {
  const connectors = new MemoryConnectors();
  connectors.isEndless = true;
  const lines = Array.from({ length: 30_000 }, (_, i) =>
    JSON.stringify({ k: i % 3 === 0 ? 'hot' : `k${i}` }),
  );
  connectors.sources.set('in', [
    `${lines.slice(0, 15_000).join('\n')}\n`,
    `${lines.slice(15_000).join('\n')}\n`,
  ]);
  const run = runInMemory(plan, { launcher: new InProcessWorkers(code), connectors, workers: 2 });
  const seen = await vi.waitFor(() => {
    const [first, ...others] = run.runtime()?.busiestKeys ?? [];
    if (first === undefined) throw new Error('nothing is told yet');
    return { first, others };
  }, 20_000);
  expect(seen.first).toMatchObject({ node: 1, key: 'hot' });
  expect(seen.first.share).toBeGreaterThan(0.2);
  expect(seen.others).toEqual([]);
  run.abort();
  await run.finished;
});
