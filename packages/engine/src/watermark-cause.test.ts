/** W5 in a running pipeline: for a watermark that stands still, what holds it is named. */
import { computation } from '@millrace/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PipelineRun } from './host/run-options.ts';
import type { WatermarkCause } from './host/watermark-cause.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

interface Input {
  readonly at: number;
  readonly k: string;
  readonly do?: 'timer' | 'state' | 'wait';
}

let letGo: () => void = () => undefined;

const hold = computation<{ in: Input }, { out: number }, number>({
  async processRecord({ value, timestamp }, ctx) {
    if (value.do === 'timer') ctx.setTimer('close', timestamp + 1_000_000, { hold: timestamp });
    if (value.do === 'state') ctx.state.set(1, { holdUntil: timestamp });
    if (value.do === 'wait')
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    ctx.produce('out', value.at);
  },
  processTimer: () => undefined,
});
const pass = computation<{ in: number }, { out: number }>({
  processRecord: (record, ctx) => ctx.produce('out', record.value),
});
const code = {
  nodes: { n_hold: hold, n_pass: pass },
  keyBy: { s_0: (v: Input) => v.k, s_1: (v: Input) => v.k },
  timestamps: { n_fast: (v: Input) => v.at, n_slow: (v: Input) => v.at },
  values: {},
};

const runs: PipelineRun[] = [];
afterEach(async () => {
  letGo();
  for (const run of runs.splice(0)) {
    run.abort();
    await run.finished;
  }
});

function start(fast: readonly Input[], slow: readonly Input[], settings = {}): PipelineRun {
  const connectors = new MemoryConnectors();
  connectors.isEndless = true;
  const lines = (records: readonly Input[]) => `${records.map((r) => JSON.stringify(r)).join('\n')}\n`;
  connectors.sources.set('fast', [lines(fast)]);
  connectors.sources.set('slow', [lines(slow)]);
  const config = { futureBound: 'off', idleTimeout: 'off' };
  const plan = planOf(
    [
      { id: 'n_fast', kind: 'injector', config: { ...config, ...settings, path: 'fast' } },
      { id: 'n_slow', kind: 'injector', config: { ...config, path: 'slow' } },
      { id: 'n_hold', kind: 'computation' },
      { id: 'n_pass', kind: 'computation' },
      { id: 'n_out', kind: 'sink' },
    ],
    [
      { from: 'n_fast', to: 'n_hold', keyed: true },
      { from: 'n_slow', to: 'n_hold', keyed: true },
      { from: 'n_hold', to: 'n_pass' },
      { from: 'n_pass', to: 'n_out' },
    ],
  );
  const run = runInMemory(plan, {
    launcher: new InProcessWorkers(code),
    connectors,
    workers: 2,
    log: () => undefined,
  });
  runs.push(run);
  return run;
}

/** The cause of the sink's watermark, once it is as expected. */
async function becomes(run: PipelineRun, expected: Partial<Record<keyof WatermarkCause, unknown>>) {
  await vi.waitFor(async () => expect(await run.cause('n_out')).toMatchObject(expected), 20_000);
}

const later = [0, 1, 2, 3].map((i) => ({ at: 100_000 + i, k: `k${i}` }));

describe('the cause of a watermark', () => {
  it('W5: is the partition that has read the least', async () => {
    const run = start(later, [{ at: 5_000, k: 'a' }]);
    await becomes(run, {
      watermark: { kind: 'at', time: 5_000 },
      path: ['n_out', 'n_pass', 'n_hold', 'n_slow'],
      cause: { kind: 'source', partitions: [{ name: 'slow-0', largest: 5_000 }], waits: undefined },
    });
  });

  it('W4: is the source that has not reported', async () => {
    const run = start(later, []);
    await becomes(run, {
      watermark: { kind: 'not-yet' },
      cause: { kind: 'source', partitions: [{ name: 'slow-0', largest: undefined }] },
    });
  });

  it('W10: says of an injector that is held by a person that it is', async () => {
    const run = start(later, [{ at: 5_000, k: 'a' }]);
    run.pause();
    await becomes(run, { cause: { kind: 'source', waits: 'paused' } });
  });

  it('W2: is the timer that holds, by key and tag', async () => {
    const run = start(later, [{ at: 7_000, k: 'held', do: 'timer' }, ...later]);
    await becomes(run, {
      watermark: { kind: 'at', time: 7_000 },
      path: ['n_out', 'n_pass', 'n_hold'],
      cause: { kind: 'timer', key: 'held', tag: 'close', clock: 'watermark', time: 1_007_000, hold: 7_000 },
    });
  });

  it('W1: is the state that was set with a hold', async () => {
    const run = start(later, [{ at: 7_000, k: 'held', do: 'state' }, ...later]);
    await becomes(run, { cause: { kind: 'state', key: 'held', hold: 7_000 } });
  });

  it('W1: is the record that waits for its call to end', async () => {
    const run = start(later, [{ at: 7_000, k: 'held', do: 'wait' }, ...later]);
    await becomes(run, {
      cause: { kind: 'record', key: 'held', hold: 7_000, id: expect.stringContaining('slow-0') },
    });
    letGo();
    await becomes(run, { path: ['n_out', 'n_pass', 'n_hold', 'n_fast'], cause: { kind: 'source' } });
  });

  it('is nobody’s where there is no such node', async () => {
    const run = start(later, later);
    await vi.waitFor(async () => expect(run.progress()).toBeDefined());
    expect(await run.cause('n_none')).toBeUndefined();
  });
});
