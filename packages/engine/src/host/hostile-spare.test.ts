/**
 * SU1: spares whose code has taken them over. Whatever they say, they change nothing: they are ended, their slot's
 * worker finds out by itself what they did not, and every record is counted once.
 */
import {
  BundleBodyWriter,
  encodeWorkerFrame,
  type HostFrame,
  keyPrefix,
  MOST_SUSPECTS,
  spaceOf,
  type WorkerFrame,
} from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import type { WorkerLauncher } from '../ports.ts';
import { type HostileWorker, HostileWorkers } from '../testing/hostile-workers.ts';
import { MemoryConnectors } from '../testing/memory-connectors.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { MortalWorkers, OF_TIME } from '../testing/mortal-workers.ts';
import { planOf } from '../testing/plans.ts';
import { runInMemory } from '../testing/run-in-memory.ts';

interface Value {
  readonly n: number;
  readonly k: string;
}

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a', keyed: true },
    { from: 'n_a', to: 'n_out' },
  ],
);
/** The number of the node in the store, as a new pipeline gets it. */
const A = 2;
const POISON = 23;
type Trial = Extract<HostFrame, { kind: 'trial' }>;

async function runWith(script: (spare: HostileWorker, trial: Trial) => void) {
  const workers = new MortalWorkers();
  const counting = computation<{ in: Value }, { out: { n: number; seen: number } }, number>({
    processRecord(record, ctx) {
      if (record.value.n === POISON) workers.die(OF_TIME);
      const seen = (ctx.state.get() ?? 0) + 1;
      ctx.state.set(seen);
      ctx.produce('out', { n: record.value.n, seen });
    },
  });
  workers.module = {
    nodes: { n_a: counting },
    keyBy: { s_0: (value: Value) => value.k },
    timestamps: {},
    values: {},
  };
  const spares = new HostileWorkers((spare, frame) => {
    if (frame.kind === 'configure') spare.say({ kind: 'ready' });
    else if (frame.kind === 'trial') script(spare, frame);
  });
  const launcher: WorkerLauncher = {
    launch: (wanted) => (wanted.name.includes('spare') ? spares.launch() : workers.launch(wanted)),
    close: async () => undefined,
  };
  const store = new MemoryStore();
  const connectors = new MemoryConnectors();
  const values = Array.from({ length: 60 }, (_, n) => ({ n, k: `k${n % 4}` }));
  connectors.sources.set('lines', [values.map((value) => JSON.stringify(value)).join('\n')]);
  const result = await runInMemory(plan, {
    store,
    launcher,
    connectors,
    workers: 1,
    memoryMb: 64,
    log: () => undefined,
  }).finished;
  const rows = connectors.sinks.get('n_out')?.rows ?? [];
  return { result, store, rows, spares, workers };
}

/** The poisonous record is one letter, every other one is counted once in its key's order, and all are gone. */
function expectUnharmed({ result, store, rows, spares, workers }: Awaited<ReturnType<typeof runWith>>): void {
  expect(result).toMatchObject({ kind: 'done' });
  expect([...store.letters.values()].map(({ input }) => JSON.parse(input).n)).toEqual([POISON]);
  for (const k of [0, 1, 2, 3]) {
    const ofKey = rows.filter(({ key }) => key === `k${k}`).map(({ value }) => value);
    const wanted = Array.from({ length: 15 }, (_, i) => 4 * i + k).filter((n) => n !== POISON);
    expect(ofKey).toEqual(wanted.map((n, i) => ({ n, seen: i + 1 })));
  }
  expect(spares.workers.some(({ alive }) => alive)).toBe(false);
  expect(workers.workers.some(({ isAlive }) => isAlive)).toBe(false);
}

const body = new BundleBodyWriter();
body.put(spaceOf(A, 'state'), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0), Uint8Array.of(1));
const bundle = {
  kind: 'bundle',
  bundleNumber: 1,
  throughSequence: 0,
  watermarks: [],
  body: body.take(),
} as const;
const scanOf = (prefix: Uint8Array, space = spaceOf(A, 'state')) =>
  ({ kind: 'fetch', request: 1, scans: [{ space, prefix, limit: 10 }] }) as const;
const prefixOf = ({ entries }: Trial) => (entries[0]?.key ?? new Uint8Array(0)).slice(0, -8);

describe('a spare that is hostile', () => {
  it.each<[string, (trial: Trial) => WorkerFrame | Uint8Array, RegExp]>([
    ['sends a bundle', () => bundle, /a frame "bundle"/],
    ['says how far it is', () => ({ kind: 'effort', spentMs: [1] }), /a frame "effort"/],
    ['logs', () => ({ kind: 'logs', lines: [], cut: 1 }), /a frame "logs"/],
    [
      'asks for a trial itself',
      (trial) => ({
        kind: 'suspect',
        number: 1,
        node: 1,
        prefix: prefixOf(trial),
        watermark: trial.watermark,
      }),
      /a frame "suspect"/,
    ],
    ['reads the state of all keys', () => scanOf(new Uint8Array(0)), /state of a key that is not on trial/],
    ['reads what is parked', (trial) => scanOf(prefixOf(trial), spaceOf(A, 'parked')), /not on trial/],
    [
      'reads timers of a clock',
      () => ({ kind: 'due', request: 1, scan: { space: 1, from: Uint8Array.of(0), limit: 1 } }),
      /a frame "due"/,
    ],
    ['is ready again', () => ({ kind: 'ready' }), /ready twice/],
    ['speaks of a trial it was not given', () => ({ kind: 'tried', number: 999, spent: false }), /trial 999/],
    ['says what is no frame', () => Uint8Array.of(99), /broke its rules/],
  ])('that %s is ended, and nothing of it counts', async (_, say, reason) => {
    const run = await runWith((spare, trial) => {
      const said = say(trial);
      if (said instanceof Uint8Array) spare.raw(said);
      else spare.raw(encodeWorkerFrame(said).slice());
    });
    expectUnharmed(run);
    expect(run.spares.workers.some(({ killedFor }) => reason.test(killedFor ?? ''))).toBe(true);
  });

  it('that calls everything harmless makes its slot’s worker find out by itself', async () => {
    const run = await runWith((spare, trial) =>
      spare.say({ kind: 'tried', number: trial.number, spent: false }),
    );
    expectUnharmed(run);
    expect(run.workers.workers.length).toBeGreaterThan(2);
  });

  it('that names inputs that do not exist, and ends, is given up after a while', async () => {
    let named = 0;

    const run = await runWith((spare) => {
      spare.say({ kind: 'progress', input: `n_a|no such input ${named++}` });
      setImmediate(() => setImmediate(() => spare.kill('no progress for 5 s')));
    });
    expectUnharmed(run);
    expect(run.spares.workers.length).toBeLessThan(150);
  });
});

describe('a worker that holds input and is hostile', () => {
  const ask = (number: number, prefix: Uint8Array, node = 1): WorkerFrame => ({
    kind: 'suspect',
    number,
    node,
    prefix,
    watermark: { kind: 'not-yet' },
  });
  const own = keyPrefix('k', { high: 0x10000000, low: 1 });
  const foreign = keyPrefix('k', { high: 0xf0000000, low: 1 });

  it.each<[string, WorkerFrame[], RegExp]>([
    ['a key of another worker', [ask(1, foreign)], /a key of interval 1, which worker 0 does not own/],
    ['many keys in one', [ask(1, own.subarray(0, 10))], /sent a frame that is not one/],
    ['more than a key', [ask(1, Uint8Array.of(...own, 1))], /asks for more than a key/],
    ['what is no node with keys', [ask(1, own, 0)], /node 0 holds no input/],
    ['a key out of turn', [ask(2, own)], /question 2 after question 0/],
    [
      'more keys than it may at once',
      Array.from({ length: MOST_SUSPECTS + 1 }, (_, i) => ask(i + 1, own)),
      /too many keys at once/,
    ],
  ])('SU1: that asks for %s ends its pipeline, and nothing is stored', async (_, frames, reason) => {
    const store = new MemoryStore();
    const workers = new HostileWorkers((worker, frame) => {
      if (frame.kind !== 'restore' || !frame.last || worker.configuration?.slot !== 0) return;
      worker.say({ kind: 'ready' });
      // The first one ends over what it was sent: its successor holds its input.
      if (worker.configuration.isSuspicious !== true) worker.kill('no progress for 5 s');
      else for (const each of frames) worker.say(each);
    });
    const connectors = new MemoryConnectors();
    connectors.sources.set('lines', ['']);
    const result = await runInMemory(plan, {
      store,
      launcher: workers,
      connectors,
      workers: 2,
      memoryMb: 64,
      log: () => undefined,
    }).finished;
    expect(result).toMatchObject({ kind: 'failed', error: expect.stringMatching(reason) });
    expect(store.log).toEqual([]);
  });
});
