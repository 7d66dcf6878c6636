import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import type { RunOptions } from './host/run-options.ts';
import { runPipeline } from './run-pipeline.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'in', slack: '0s', futureBound: 'off' } },
    { id: 'n_count', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_count' }],
);
const count = computation<{ in: unknown }, Record<string, never>, number>({
  processRecord(_record, ctx) {
    ctx.state.set((ctx.state.get() ?? 0) + 1);
  },
});
const code = { nodes: { n_count: count }, keyBy: {}, timestamps: { n_in: () => 1 }, values: {} };

function start(store: MemoryStore, more: Partial<RunOptions> = {}) {
  const connectors = new MemoryConnectors();
  connectors.sources.set('in', [Array.from({ length: 400 }, (_, i) => `{"n":${i}}`).join('\n')]);
  return runPipeline({
    store,
    launcher: new InProcessWorkers(code),
    connectors,
    sinkContext: () => ({}) as never,
    connectorContext: () => ({}) as never,
    version: { number: 1, plan, bundle: '' },
    workers: 2,
    memoryMb: 256,
    log: () => undefined,
    ...more,
  });
}

test('a run is told to be running once, when every worker is, and not again for one that was started anew', async () => {
  const launcher = new InProcessWorkers(code);
  let told = 0;
  const run = start(new MemoryStore(), {
    launcher,
    paused: true,
    onRunning: () => {
      told++;
    },
  });
  await expect.poll(() => told, { timeout: 20_000 }).toBe(1);
  expect(launcher.workers.length).toBe(2);
  launcher.workers[0]?.kill();
  await expect.poll(() => launcher.workers.length, { timeout: 20_000 }).toBe(3);
  run.resume();
  expect(await run.finished).toMatchObject({ kind: 'done' });
  expect(told).toBe(1);
});

test('a failed run says whether other code, nothing here or another try would help', async () => {
  const noCode = start(new MemoryStore(), { launcher: new InProcessWorkers({ nodes: {} }) });
  expect(await noCode.finished).toMatchObject({ kind: 'failed', cause: 'code' });

  const taken = new MemoryStore();
  taken.beforeCommit = async () => {
    await taken.claimHost();
  };
  expect(await start(taken).finished).toMatchObject({ kind: 'failed', cause: 'fenced' });

  const away = new MemoryStore();
  away.beforeCommit = () => Promise.reject(new Error('the disk is full'));
  const error = expect.stringContaining('the disk is full');
  expect(await start(away).finished).toMatchObject({ kind: 'failed', cause: 'outside', error });
});
