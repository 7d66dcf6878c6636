/**
 * A worker whose code has taken it over, against the real host. Each attack ends its own pipeline, with a message
 * that names the worker and what it did, or changes nothing; the host lives on and stores nothing foreign.
 */
import {
  BundleBodyWriter,
  ByteWriter,
  dueSpaceOf,
  encodeRecord,
  encodeSinkRow,
  encodeValue,
  encodeWorkerFrame,
  type HostFrame,
  keyPrefix,
  type LogLine,
  META_SPACE,
  metaKeys,
  openSinkText,
  SINK_SLOT,
  spaceOf,
  stateKey,
  type TapSample,
  type WorkerFrame,
} from '@millrace/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenSink, SinkConnector, SinkContext } from '../ports.ts';
import { runPipeline } from '../run-pipeline.ts';
import { type HostileWorker, HostileWorkers } from '../testing/hostile-workers.ts';
import { MemoryConnectors } from '../testing/memory-connectors.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import type { PipelineRun, RunResult } from './run-options.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_a', to: 'n_out' },
  ],
);
/** Of the nodes in the store, as a new pipeline gets them. */
const [IN, A] = [1, 2] as const;
const HASH = { high: 0x10000000, low: 1 };
const own = stateKey(keyPrefix('k', HASH));
const foreign = stateKey(keyPrefix('k', { high: 0xf0000000, low: 1 }));
const one = Uint8Array.of(1);

type Script = (worker: HostileWorker, frame: HostFrame) => void;

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
const runs: PipelineRun[] = [];
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.abort();
    await run.finished;
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(unhandled).toEqual([]);
});

function attack(script: Script, more: { store?: MemoryStore; workers?: number; now?: () => number } = {}) {
  const store = more.store ?? new MemoryStore();
  const connectors = new MemoryConnectors();
  connectors.sources.set('lines', ['{"a":1}\n{"a":2}\n']);
  const launcher = new HostileWorkers(script);
  const logs: { lines: LogLine[]; cut: number } = { lines: [], cut: 0 };
  const run = runPipeline({
    store,
    launcher,
    connectors,
    sinkContext: (node) =>
      ({ nodeId: node.id, nodeName: node.name, mark: async () => undefined }) as unknown as SinkContext,
    connectorContext: (node) => ({
      nodeId: node.id,
      nodeName: node.name,
      folder: '/',
      secret: async () => '',
      now: Date.now,
    }),
    version: { number: 1, plan, bundle: '' },
    workers: more.workers ?? 1,
    memoryMb: 64,
    ...(more.now === undefined ? {} : { clock: { now: more.now } }),
    log: () => undefined,
    onProgress: () => undefined,
    onLogs: (lines, cut) => {
      logs.lines.push(...lines);
      logs.cut += cut;
    },
  });
  runs.push(run);
  return { store, connectors, launcher, run, logs };
}

async function failure(run: PipelineRun): Promise<string> {
  const result = (await Promise.race([
    run.finished,
    new Promise((resolve) => setTimeout(() => resolve({ kind: 'hangs' }), 4_000)),
  ])) as RunResult;
  expect(result.kind).toBe('failed');
  return result.error ?? '';
}

const bodyOf = (write: (body: BundleBodyWriter) => void): Uint8Array => {
  const body = new BundleBodyWriter();
  write(body);
  return body.take();
};
const bytesOf = (write: (w: ByteWriter) => void): Uint8Array => {
  const w = new ByteWriter();
  write(w);
  return w.take();
};
const bundle = (body: Uint8Array, more: Partial<Extract<WorkerFrame, { kind: 'bundle' }>> = {}) =>
  ({ kind: 'bundle', bundleNumber: 1, throughSequence: 0, watermarks: [], body, ...more }) as const;
const state = bodyOf((body) => body.put(spaceOf(A, 'state'), own, one));

/** Ready as it should be, then whatever `then` does; worker 1, where there is one, does nothing. */
function readyThen(then: (worker: HostileWorker) => void): Script {
  return (worker, frame) => {
    if (frame.kind !== 'restore' || !frame.last) return;
    worker.say({ kind: 'ready' });
    if (worker.configuration?.slot === 0) then(worker);
  };
}
const sending = (...frames: (WorkerFrame | Uint8Array)[]): Script =>
  readyThen((worker) => {
    for (const frame of frames) frame instanceof Uint8Array ? worker.raw(frame) : worker.say(frame);
  });
const storing = (write: (body: BundleBodyWriter) => void): Script => sending(bundle(bodyOf(write)));

const record = bytesOf((w) =>
  encodeRecord(w, { key: 'k', timestamp: 0, id: 'i', pane: undefined, value: null }),
);
const row = (line: string, timestamp = 0) =>
  bytesOf((w) => encodeSinkRow(w, { id: 'i', key: 'k', timestamp, bytes: Buffer.from(line) }));
const text = (lines: string) =>
  bytesOf((w) => {
    openSinkText(w);
    w.raw(Buffer.from(lines));
  });
const value = (of: unknown) => bytesOf((w) => encodeValue(w, of));
const toSink = { node: 2, stream: 1, slot: SINK_SLOT };

describe('frames that are none', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['an unknown kind', Uint8Array.of(99)],
    ['half a bundle', encodeWorkerFrame(bundle(state)).slice(0, 6)],
    ['two frames in one', Uint8Array.of(0, 0)],
    ['a body longer than the frame', Uint8Array.of(2, 1, 0, 0, 0xff, 0xff, 0x7f)],
    ['a million million watermarks', Uint8Array.of(2, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f)],
    ['scans without end', Uint8Array.of(4, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f)],
    ['a watermark at no time', Uint8Array.of(2, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0)],
    ['logs that are no lines', Uint8Array.of(6, 4, ...Buffer.from('null'), 0)],
  ])('%s: the pipeline ends, the worker and the fault are named, nothing is stored', async (_, bytes) => {
    const { run, store } = attack(sending(bytes));
    expect(await failure(run)).toMatch(/^worker 0 sent a frame that is not one: malformed bytes/);
    expect(store.log).toEqual([]);
  });

  it('halves of two frames, one after the other', async () => {
    const [a, b] = [encodeWorkerFrame(bundle(state)), encodeWorkerFrame(bundle(state))];
    const { run, store } = attack(
      sending(Buffer.concat([a.subarray(0, 9), b.subarray(9), b.subarray(0, 5)])),
    );
    expect(await failure(run)).toContain('worker 0 sent a frame that is not one');
    expect(store.log).toEqual([]);
  });
});

describe('frames out of place (WL1–WL3)', () => {
  const early = (frame: WorkerFrame): Script => {
    return (worker, heard) => {
      if (heard.kind === 'configure') worker.say(frame);
    };
  };
  const idle = { throughSequence: 0, pending: false, waiting: 0, running: 0 } as const;
  const status = {
    kind: 'status',
    ...idle,
    bundlesSent: 0,
    wakeAt: undefined,
    nextWallTimer: undefined,
  } as const;

  it.each<[string, Script, string]>([
    ['a bundle before it is ready', early(bundle(state)), 'bundle before it is ready'],
    [
      'signs of life before it is ready',
      early({ kind: 'progress', input: '' }),
      'progress before it is ready',
    ],
    ['a status before it is ready', early(status), 'status before it is ready'],
    ['ready twice', sending({ kind: 'ready' }), 'ready twice'],
    [
      'a question about input that nobody suspects',
      sending({ kind: 'suspect', number: 1, node: 1, prefix: own, watermark: { kind: 'not-yet' } }),
      'it holds input that nobody suspects',
    ],
    ['a trial it was not given', sending({ kind: 'tried', number: 1, spent: false }), 'nothing on trial'],
    ['bundle 2 first', sending(bundle(state, { bundleNumber: 2 })), 'bundle 2 after bundle 0'],
    ['bundle 1 twice', sending(bundle(state), bundle(state)), 'bundle 1 after bundle 1'],
    [
      'more done than it was sent',
      sending(bundle(state, { throughSequence: 99 })),
      'input 99 is called finished',
    ],
    ['bundles it never sent', sending({ ...status, bundlesSent: 7 }), '7 bundles are called sent'],
    [
      'a second question before the first is answered',
      readyThen((worker) => {
        // An answer is not sent to one who does not read.
        worker.queuedBytes = 64 << 20;
        for (const request of [1, 2]) worker.say({ kind: 'fetch', request, scans: [] });
      }),
      'fetch 2 before fetch 1 is answered',
    ],
  ])('%s', async (_, script, reason) => {
    const { run } = attack(script);
    const error = await failure(run);
    expect(error).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(error).toContain(reason);
  });

  it('WL2: bundles without waiting for a commit', async () => {
    const store = new MemoryStore();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    // By the time it is let go, what came with the first bundle has been looked at.
    store.beforeCommit = () => {
      setTimeout(release, 50);
      return gate;
    };
    const { run } = attack(sending(...[1, 2, 3].map((bundleNumber) => bundle(state, { bundleNumber }))), {
      store,
    });
    expect(await failure(run)).toContain('bundle 3 before bundle 1 is committed');
    expect(store.log.length).toBeLessThanOrEqual(2);
  });
});

describe('bundles that touch what is not theirs', () => {
  const letter = {
    id: 'i',
    node: 'n_a',
    input: '',
    error: '',
    stack: '',
    origin: '',
    version: 1,
    attempts: 1,
  };
  it.each<[string, (body: BundleBodyWriter) => void, string]>([
    ['a key of another worker', (b) => b.put(spaceOf(A, 'state'), foreign, one), 'does not own'],
    ['removal of such a key', (b) => b.remove(spaceOf(A, 'parked'), foreign), 'does not own'],
    ['a key without a hash', (b) => b.put(spaceOf(A, 'state'), one, one), 'without a hash'],
    ['the space of an injector', (b) => b.put(spaceOf(IN, 'state'), own, one), 'not one of this pipeline'],
    ['a space of no node', (b) => b.put(9_999, own, one), 'not one of this pipeline'],
    ['counters of another slot', (b) => b.put(META_SPACE, metaKeys.counters(1, A), one), 'not this worker'],
    [
      'counters under a longer key',
      (b) => b.put(META_SPACE, Buffer.from('counters/0/2/x'), one),
      'not this worker',
    ],
    ['delivered of another slot', (b) => b.put(META_SPACE, metaKeys.delivered(1), one), 'not this worker'],
    ['the number of workers', (b) => b.put(META_SPACE, metaKeys.workers(), one), 'not this worker'],
    ['the number of a node', (b) => b.put(META_SPACE, metaKeys.nodeNumber('n_a'), one), 'not this worker'],
    ['a source it was not given', (b) => b.put(META_SPACE, metaKeys.source(IN, 'x'), one), 'not this worker'],
    [
      'a source mark that is none',
      (b) => b.put(META_SPACE, metaKeys.source(IN, 'lines-0'), one),
      'malformed',
    ],
    [
      'counters that are none',
      (b) => b.put(META_SPACE, metaKeys.counters(0, A), Uint8Array.of(0x80)),
      'malformed',
    ],
    [
      'a delivery it was never handed',
      (b) =>
        b.put(
          META_SPACE,
          metaKeys.delivered(0),
          bytesOf((w) => w.f64(5)),
        ),
      'cannot be',
    ],
    [
      'deliveries through no position',
      (b) =>
        b.put(
          META_SPACE,
          metaKeys.delivered(0),
          bytesOf((w) => w.f64(Number.NaN)),
        ),
      'cannot be',
    ],
    [
      'a batch for no node',
      (b) => b.batch({ node: 9, stream: 0, slot: 0, count: 1, bytes: record }),
      'a batch for',
    ],
    [
      'a batch for no slot',
      (b) => b.batch({ node: 1, stream: 0, slot: 9, count: 1, bytes: record }),
      'slot 9 of 2',
    ],
    [
      'more records than bytes',
      (b) => b.batch({ node: 1, stream: 0, slot: 1, count: 2 ** 40, bytes: record }),
      'a batch of 1099511627776 records',
    ],
    ['more rows than bytes', (b) => b.batch({ ...toSink, count: 2 ** 32, bytes: row('{}') }), 'a batch of'],
    ['a row more than there is', (b) => b.batch({ ...toSink, count: 2, bytes: row('{}') }), 'malformed'],
    ['a row that is no JSON', (b) => b.batch({ ...toSink, count: 1, bytes: row('1],[2') }), 'no JSON object'],
    ['a row of two lines', (b) => b.batch({ ...toSink, count: 1, bytes: row('{}\n{}') }), 'breaks its line'],
    ['a row at no time', (b) => b.batch({ ...toSink, count: 1, bytes: row('{}', Number.NaN) }), 'at no time'],
    ['a line that is no JSON', (b) => b.batch({ ...toSink, count: 1, bytes: text('1\n') }), 'no JSON object'],
    ['a line without an end', (b) => b.batch({ ...toSink, count: 2, bytes: text('{}\n{}') }), 'has no end'],
    [
      'a line too many',
      (b) => b.batch({ ...toSink, count: 1, bytes: text('{}\n{}\n') }),
      '2 lines and not 1',
    ],
    [
      'a dead letter that is none',
      (b) => b.deadLetter(`{"id":"${'x'.repeat(40)}"}`),
      'a dead letter without',
    ],
    [
      'a dead letter of a node elsewhere',
      (b) => b.deadLetter(JSON.stringify({ ...letter, node: 'n_b' })),
      'no node of this pipeline',
    ],
  ])('%s', async (_, write, reason) => {
    const { run, store, connectors } = attack(storing(write), { workers: 2 });
    const error = await failure(run);
    expect(error).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(error).toContain(reason);
    expect(store.log).toEqual([]);
    expect(store.letters.size).toBe(0);
    expect(connectors.sinks.get('n_out')?.rows).toEqual([]);
  });

  it('a dead letter of 60 MB is the pipeline’s own and is stored; one that fits no frame of a receiver is not', async () => {
    const input = 'x'.repeat(60 << 20);
    const { run, store } = attack(storing((b) => b.deadLetter(JSON.stringify({ ...letter, input }))));
    await expect.poll(() => store.letters.size, { timeout: 8_000 }).toBe(1);
    run.abort();
    await run.finished;
    expect(store.letters.get('i')?.input.length).toBe(60 << 20);
    const huge = attack(sending(bundle(new Uint8Array((64 << 20) - 64))));
    expect(await failure(huge.run)).toContain('worker 0 sent a frame that is not one: a bundle of');
  });
});

describe('questions', () => {
  const asking = (space: number, prefix: Uint8Array, limit = 1e15): Script =>
    sending({ kind: 'fetch', request: 1, scans: [{ space, prefix, limit }] });
  const askingDue = (space: number, limit: number): Script =>
    sending({ kind: 'due', request: 1, scan: { space, from: Uint8Array.of(0), limit } });

  it.each<[string, Script]>([
    ['for the host’s own marks', asking(META_SPACE, Buffer.from('source/'))],
    ['for all of a space', asking(spaceOf(A, 'state'), new Uint8Array(0))],
    ['for keys of another worker', asking(spaceOf(A, 'state'), foreign)],
    ['for timers, which it was given', asking(spaceOf(A, 'timers'), own)],
    ['for a space of no node', asking(404, own)],
    ['for far timers where none lie', askingDue(spaceOf(A, 'state'), 1)],
    ['for more far timers than an answer holds', askingDue(dueSpaceOf(A), 1e6)],
  ])('%s are refused', async (_, script) => {
    const { run, launcher } = attack(script, { workers: 2 });
    expect(await failure(run)).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(launcher.workers.flatMap(({ heard }) => heard).some(({ kind }) => kind === 'fetched')).toBe(false);
  });

  it('whose answer fits no frame end the pipeline and not the host', async () => {
    const big = new Uint8Array(25 << 20);
    const script: Script = (worker, frame) => {
      if (frame.kind === 'restore' && frame.last) {
        worker.say({ kind: 'ready' });
        worker.say(bundle(bodyOf((b) => b.put(spaceOf(A, 'state'), own, big))));
      }
      const scan = { space: spaceOf(A, 'state'), prefix: own, limit: 1e15 };
      if (frame.kind === 'committed') worker.say({ kind: 'fetch', request: 1, scans: [scan, scan, scan] });
    };
    expect(await failure(attack(script).run)).toContain('more of its state at once');
  });

  it('of a worker that does not read are answered only once it does', async () => {
    const { run, launcher } = attack(
      readyThen((worker) => {
        worker.queuedBytes = 64 << 20;
        worker.say({ kind: 'fetch', request: 1, scans: [] });
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    const heard = () => launcher.workers[0]?.heard.filter(({ kind }) => kind === 'fetched').length;
    expect(heard()).toBe(0);
    (launcher.workers[0] as HostileWorker).queuedBytes = 0;
    await expect.poll(heard).toBe(1);
    run.abort();
  });
});

describe('floods', () => {
  it('of logs pass at the pace of a reader, cut to what a person reads, and are counted', async () => {
    const line = {
      node: 'n'.repeat(999),
      level: 'x'.repeat(99),
      key: 'k',
      text: 't'.repeat(4_001),
      time: 1e300,
      at: '1:1 '.repeat(99),
    };
    const frame = { kind: 'logs', lines: Array.from({ length: 900 }, () => line), cut: 0 } as const;
    const { run, logs } = attack(sending(...Array.from({ length: 4 }, () => frame)), {
      now: () => 1_000_000,
    });
    await expect.poll(() => logs.lines.length, { timeout: 5_000 }).toBe(1_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    run.abort();
    await run.finished;
    expect(logs.lines.length).toBe(1_000);
    expect(logs.lines[0]).toEqual({
      node: 'n'.repeat(200),
      level: 'x'.repeat(20),
      key: 'k',
      text: 't'.repeat(4_000),
      time: 1_000_000,
      at: '1:1 '.repeat(50),
    });
  });

  it('of signs of life and statuses change nothing', async () => {
    const { run, store } = attack(
      readyThen((worker) => {
        for (let i = 0; i < 20_000; i++) {
          worker.say({ kind: 'progress', input: `n_a|${i}` });
          if (i % 4 === 0) worker.status(0, { waiting: 1, wakeAt: -1e300, nextWallTimer: -1e300 });
        }
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(store.log).toEqual([]);
    run.abort();
    expect((await run.finished).kind).toBe('drained');
  });

  it('of samples are passed on once their bundle is committed, and only of streams that are watched', async () => {
    const store = new MemoryStore();
    let commit: (() => void) | undefined;
    store.beforeCommit = () =>
      new Promise((resolve) => {
        commit = resolve;
      });
    const { run } = attack(
      (worker, frame) => {
        if (frame.kind === 'restore' && frame.last) worker.say({ kind: 'ready' });
        // The host has opened the tap.
        if (frame.kind !== 'tap') return;
        worker.say(bundle(bodyOf((b) => b.put(META_SPACE, metaKeys.counters(0, A), one))));
        worker.say({ kind: 'taps', bundleNumber: 1, samples: [sample(0, 'seen'), sample(1, 'unwatched')] });
      },
      { store },
    );
    const seen: string[] = [];
    const limits = { recordsPerSecond: 10, charsPerSecond: 1_000 };
    await expect.poll(() => run.progress()).toBeDefined();
    await expect
      .poll(() => run.tap(['s_0'], limits, ({ records }) => seen.push(...records.map(({ text }) => text))))
      .toBeDefined();
    await expect.poll(() => commit).toBeDefined();
    // The samples are right behind the bundle.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([]);
    commit?.();
    await expect.poll(() => seen).toEqual(['seen']);
  });

  it.each([
    ['twice for one bundle', (worker: HostileWorker) => [1, 1].forEach((n) => void samplesOf(worker, n))],
    ['of a bundle that never came', (worker: HostileWorker) => samplesOf(worker, 2)],
    ['longer than they may be', (worker: HostileWorker) => samplesOf(worker, 1, 'x'.repeat(65 * 1024))],
  ])('of samples, %s, end the worker', async (_what, say) => {
    const { run } = attack(
      readyThen((worker) => {
        worker.say(bundle(bodyOf((b) => b.put(META_SPACE, metaKeys.counters(0, A), one))));
        say(worker);
      }),
    );
    expect(await failure(run)).toContain('sent a frame that is not one');
  });

  it('PH5: a worker that commits faster than its sink takes is not told of its commits until it does', async () => {
    let bundles = 0;
    const line = row(`{"key":"k","value":"${'x'.repeat(30 << 20)}","timestamp":0}`);
    const body = bodyOf((b) => b.batch({ ...toSink, count: 1, bytes: line }));
    const next = (worker: HostileWorker) => worker.say(bundle(body, { bundleNumber: ++bundles }));
    const { run, connectors } = attack((worker, frame) => {
      if (frame.kind === 'restore' && frame.last) worker.say({ kind: 'ready' });
      if ((frame.kind === 'restore' && frame.last) || frame.kind === 'committed') next(worker);
    });
    const { egress, open } = connectors.sink() as SinkConnector;
    const stuck: OpenSink['deliver'] = (_batch, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    connectors.sink = () => ({
      egress,
      open: async (...args) => ({ ...(await open(...args)), deliver: stuck }),
    });
    await expect.poll(() => bundles, { timeout: 8_000 }).toBeGreaterThan(8);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(bundles).toBeLessThan(12);
    run.abort();
    await run.finished;
  }, 20_000);

  it('of messages: a failure of 60 MB is told in short', async () => {
    const { run } = attack(sending({ kind: 'failed', node: '', message: 'm'.repeat(60 << 20), stack: '' }));
    const error = await failure(run);
    expect(error).toMatch(/^worker 0: mmm/);
    expect(error.length).toBeLessThan(100_000);
  });
});

describe('watermarks (W3)', () => {
  it('that go back, or come back from their end, move nothing', async () => {
    const body = (n: number) => bodyOf((b) => b.put(spaceOf(A, 'state'), own, Uint8Array.of(n)));
    const at = (time: number) => ({ kind: 'at', time }) as const;
    const tables = [
      [at(9), at(9)],
      [at(3), { kind: 'not-yet' }],
      [{ kind: 'ended' }],
      [at(1e300), at(10)],
    ] as const;
    let sent = 0;
    const { launcher, run } = attack(
      (worker, frame) => {
        const next = () =>
          worker.say(bundle(body(sent), { bundleNumber: sent + 1, watermarks: tables[sent++] ?? [] }));
        if (frame.kind === 'restore' && frame.last) worker.say({ kind: 'ready' });
        if (worker.incarnation !== 0) return;
        if (frame.kind === 'restore' && frame.last) next();
        if (frame.kind === 'committed' && sent < tables.length) next();
      },
      { workers: 2 },
    );
    const heard = () =>
      launcher.workers[1]?.heard.flatMap((frame) => (frame.kind === 'watermarks' ? [frame.table] : [])) ?? [];
    await expect.poll(() => heard().at(-1)?.[1]).toEqual(at(10));
    const times = heard().map((table) => table[0]);
    const ended = times.findIndex((watermark) => watermark?.kind === 'ended');
    expect(times.slice(0, ended)).not.toContainEqual(at(3));
    expect(times.slice(ended)).toEqual(times.slice(ended).map(() => ({ kind: 'ended' })));
    run.abort();
  });
});

describe('after the attack', () => {
  it('Y5: a pipeline whose worker was refused takes up its committed marks, and the next worker goes on', async () => {
    const store = new MemoryStore();
    const mark = { offset: 8, memory: undefined, largest: undefined, ended: false };
    const good = bodyOf((b) => b.put(META_SPACE, metaKeys.source(IN, 'lines-0'), value(mark)));
    const first = attack(
      (worker, frame) => {
        if (frame.kind === 'restore' && frame.last) {
          worker.say({ kind: 'ready' });
          worker.say(bundle(good));
        }
        if (frame.kind === 'committed') worker.raw(Uint8Array.of(99));
      },
      { store },
    );
    expect(await failure(first.run)).toContain('What was committed is kept');
    const second = attack(
      (worker, frame) => {
        if (frame.kind === 'restore' && frame.last) worker.say({ kind: 'ready' });
      },
      { store },
    );
    const chunk = () => second.launcher.workers[0]?.heard.find((frame) => frame.kind === 'chunk');
    await expect.poll(chunk).toMatchObject({ chunk: { kind: 'bytes', offset: 8 } });
    second.run.abort();
  });
});

function sample(stream: number, text: string): TapSample {
  const record = { key: '', timestamp: 0, id: '', pane: undefined, text, cut: false };
  return { stream, seen: 1, records: [{ ...record, way: [] }] };
}

function samplesOf(worker: HostileWorker, bundleNumber: number, text = 'x'): void {
  worker.say({ kind: 'taps', bundleNumber, samples: [sample(0, text)] });
}
