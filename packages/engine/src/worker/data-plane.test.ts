import type { RunPlan } from '@millrace/graph';
import {
  ByteWriter,
  decodeWorkerFrame,
  encodeHostFrame,
  encodeRecord,
  forEachChange,
  type HostFrame,
  type IntervalChange,
  META_SPACE,
  metaKeys,
  readBundleBody,
  spaceOf,
  type WorkerFrame,
} from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import { ingestSettings } from '../host/ingest-settings.ts';
import { planOf } from '../testing/plans.ts';
import { createWorker } from './create-worker.ts';
import { decodeCounters } from './node-counters.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', type: 'injector/generator', config: { value: 'n' } },
    { id: 'n_out', kind: 'sink' },
  ],
  [{ from: 'n_in', to: 'n_out' }],
);
const code = { nodes: {}, keyBy: {}, timestamps: {}, values: { n_in: (n: number) => n } };
const generating = { plan, code };

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function worker(
  hear: (frame: WorkerFrame, tell: (frame: HostFrame) => void) => void,
  { plan, code, emptyNodes = [] }: { plan: RunPlan; code: object; emptyNodes?: number[] } = generating,
) {
  const tell = (frame: HostFrame) => plane.receive(encodeHostFrame(frame));
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const plane = createWorker({
    post: (bytes) => {
      const frame = decodeWorkerFrame(bytes);
      if (frame.kind === 'ready') isReady();
      hear(frame, tell);
    },
    now: () => 0,
    loadModule: async () => ({ default: code }),
  });
  tell({
    kind: 'configure',
    configuration: {
      plan,
      slot: 0,
      slots: 1,
      nodeNumbers: plan.nodes.map((_, i) => i + 1),
      egress: plan.nodes.map((node) => (node.kind === 'sink' ? 'line' : undefined)),
      ingest: plan.nodes.map((node) => (node.kind === 'injector' ? ingestSettings(node) : undefined)),
      partitions: [{ node: 0, partition: 0, name: '0' }],
      emptyNodes,
      farNodes: [],
      timersInMemory: 1_000,
      version: 1,
      careful: false,
      poison: {},
      cacheBytes: 100_000_000,
    },
    code: '',
  });
  tell({ kind: 'restore', entries: [], last: true });
  await ready;
  await turn();
  return tell;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'DP4: a commit told %i turns of the microtask queue behind a report that the worker waits wakes it',
  async (turns) => {
    const bundles: number[] = [];
    let finished = 0;
    let told = 0;
    const tell = await worker((frame, answer) => {
      if (frame.kind === 'bundle') {
        bundles.push(frame.bundleNumber);
        finished = frame.throughSequence;
      }
      if (frame.kind !== 'status' || !frame.pending || told === bundles.length) return;
      let later = Promise.resolve();
      for (let i = 1; i < turns; i++) later = later.then(() => undefined);
      void later.then(() => {
        while (told < bundles.length) answer({ kind: 'committed', bundleNumber: ++told });
      });
    });
    for (let sequence = 1; sequence <= 9; sequence++)
      tell({
        kind: 'chunk',
        sequence,
        node: 0,
        partition: 0,
        chunk: { kind: 'ordinals', first: (sequence - 1) * 20_000, count: 20_000, time: 0, everyMs: 0 },
      });
    for (let i = 0; i < 100; i++) await turn();
    expect(finished).toBe(9);
    expect(bundles.length).toBeGreaterThan(4);
  },
);

test('DP5: frames that come together are taken into one bundle, and reported once', async () => {
  const heard: string[] = [];
  const tell = await worker(({ kind }) => {
    if (kind === 'bundle' || kind === 'status') heard.push(kind);
  });
  await turn();
  heard.length = 0;
  for (let sequence = 1; sequence <= 3; sequence++)
    tell({
      kind: 'chunk',
      sequence,
      node: 0,
      partition: 0,
      chunk: { kind: 'ordinals', first: (sequence - 1) * 10, count: 10, time: 0, everyMs: 0 },
    });
  for (let i = 0; i < 5; i++) await turn();
  expect(heard).toEqual(['bundle', 'status']);
});

const counting = planOf(
  [
    { id: 'n_in', kind: 'injector', type: 'injector/generator', config: { value: 'n' } },
    { id: 'n_a', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_a', keyed: true }],
);

/** Runs the computation above; gives the changes of one kind in each bundle, and a way to tell it things. */
async function changesOf(kind: 'state' | 'parked', handlers: object, hear = (_: WorkerFrame) => undefined) {
  const changes: number[] = [];
  const tell = await worker(
    (frame) => {
      hear(frame);
      if (frame.kind !== 'bundle') return;
      let found = 0;
      forEachChange(readBundleBody(frame.body), ({ space }) => {
        if (space === spaceOf(2, kind)) found++;
      });
      changes.push(found);
    },
    {
      plan: counting,
      code: {
        ...code,
        nodes: { n_a: computation(handlers as never) },
        keyBy: { s_0: (n: number) => n },
      },
      emptyNodes: [1],
    },
  );
  let sequence = 0;
  let first = 0;
  const chunk = async (count: number): Promise<void> => {
    const ordinals = { kind: 'ordinals', first, count, time: first, everyMs: 1 } as const;
    tell({ kind: 'chunk', sequence: ++sequence, node: 0, partition: 0, chunk: ordinals });
    first += count;
    for (let i = 0; i < 5; i++) await turn();
  };
  const committed = async (bundleNumber: number): Promise<void> => {
    tell({ kind: 'committed', bundleNumber });
    for (let i = 0; i < 5; i++) await turn();
  };
  const move = async (change: IntervalChange): Promise<void> => {
    tell({ kind: 'intervals', sequence: ++sequence, change });
    for (let i = 0; i < 5; i++) await turn();
  };
  return { changes, chunk, committed, move };
}

const stores = (_: unknown, ctx: { state: { set(n: number): void } }) => ctx.state.set(1);

test('DP3: while two bundles are on their way a third takes in what comes until it is full, and says that it waits', async () => {
  const pending: boolean[] = [];
  const { changes, chunk, committed } = await changesOf('state', { processRecord: stores }, (frame) => {
    if (frame.kind === 'status') pending.push(frame.pending);
    return undefined;
  });
  await chunk(1_000);
  await chunk(100);
  await committed(1);
  await chunk(10);
  expect([changes, pending.at(-1)]).toEqual([[1_000, 100, 10], false]);
  await chunk(20);
  await chunk(30);
  await chunk(10_000);
  expect([changes, pending.at(-1)]).toEqual([[1_000, 100, 10], true]);
  await committed(2);
  expect([changes, pending.at(-1)]).toEqual([[1_000, 100, 10, 4_096], true]);
  await committed(3);
  expect([changes, pending.at(-1)]).toEqual([[1_000, 100, 10, 4_096, 5_954], false]);
});

test('a bundle is no larger than what the records of those before it made of them', async () => {
  const large = (_: unknown, ctx: { state: { set(text: string): void } }) =>
    ctx.state.set('x'.repeat(20_000));
  const { changes, chunk, committed } = await changesOf('state', { processRecord: large });
  await chunk(4_000);
  await chunk(4_000);
  for (let i = 1; i < 20; i++) await committed(i);
  expect(changes[0]).toBe(4_000);
  expect(Math.max(...changes.slice(1))).toBeLessThan(500);
});

test('T5: records behind the last timer that a bundle may fire wait for the next one, and are not parked', async () => {
  const processRecord = (
    { timestamp }: { timestamp: number },
    ctx: { setTimer(tag: string, at: number): void },
  ) => {
    if (timestamp < 10_000) ctx.setTimer('t', 10_100);
  };
  const { changes, chunk, committed } = await changesOf('parked', {
    processRecord,
    processTimer: () => undefined,
  });
  await chunk(20_000);
  for (let i = 1; i < 10; i++) await committed(i);
  expect(Math.max(...changes)).toBeGreaterThan(0);
  expect(Math.max(...changes)).toBeLessThan(1_000);
});

test.each([
  ['more records than it holds', 2, 0, /malformed bytes/],
  ['fewer records than it holds', 1, 1, /it holds more than its 1 records/],
  ['half a record', 1, -3, /malformed bytes/],
])(
  'P9: a batch that another worker sent with %s ends this one, with stream and position',
  async (_, count, more, reason) => {
    const receiving = planOf(
      [
        { id: 'n_in', kind: 'injector', type: 'injector/generator', config: { value: 'n' } },
        { id: 'n_a', kind: 'computation' },
      ],
      [{ from: 'n_in', to: 'n_a' }],
    );
    const nodes = { n_a: computation({ processRecord: () => undefined }) };
    const heard: WorkerFrame[] = [];
    const tell = await worker((frame) => heard.push(frame), {
      plan: receiving,
      code: { ...code, nodes },
    });
    const w = new ByteWriter();
    const record = { key: 'k', timestamp: 0, id: 'i', pane: undefined, value: 'text' };
    encodeRecord(w, record);
    if (more > 0) encodeRecord(w, record);
    const bytes = w.take();
    tell({
      kind: 'deliver',
      sequence: 1,
      position: 17,
      channel: 0,
      batches: [{ node: 1, stream: 0, count, bytes: bytes.subarray(0, bytes.length + Math.min(0, more)) }],
    });
    for (let i = 0; i < 5; i++) await turn();
    const failed = heard.find((frame) => frame.kind === 'failed');
    expect(failed?.message).toMatch(/what was sent on stream s_0 at log position 17 cannot be read: /);
    expect(failed?.message).toMatch(reason);
    expect(heard.some((frame) => frame.kind === 'bundle')).toBe(false);
  },
);

test('MV1: the bundle with which keys leave counts what waits without them', async () => {
  const waiting: number[] = [];
  const fails = () => {
    throw new Error('not yet');
  };
  const { chunk, move } = await changesOf('state', { processRecord: fails }, (frame) => {
    if (frame.kind === 'bundle')
      forEachChange(readBundleBody(frame.body), ({ space, key, value }) => {
        const isCount = space === META_SPACE && Buffer.compare(key, metaKeys.counters(0, 2)) === 0;
        if (isCount && value !== undefined) waiting.push(decodeCounters(value).waiting);
      });
    return undefined;
  });
  await chunk(10);
  expect(waiting.at(-1)).toBe(10);
  const gives = { nodes: [1], start: 0, end: 2 ** 32 };
  await move({ step: 1, tables: [null, null], frozen: [1], held: [1], gives });
  expect(waiting.at(-1)).toBe(0);
});
