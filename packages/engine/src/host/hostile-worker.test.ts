/**
 * A worker whose code has taken it over, against the real host. Each attack ends its own pipeline, with a message
 * that names the worker and what it did, or changes nothing; the host lives on and stores nothing foreign.
 */
import { META_SPACE, metaKeys, spaceOf } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import type { OpenSink, SinkConnector } from '../ports.ts';
import {
  A,
  attack,
  bodyOf,
  bundle,
  failure,
  IN,
  one,
  own,
  readyThen,
  row,
  sample,
  samplesOf,
  sending,
  toSink,
  value,
  watchAttacks,
} from '../testing/hostile-attack.ts';
import type { HostileWorker } from '../testing/hostile-workers.ts';
import { MemoryStore } from '../testing/memory-store.ts';

watchAttacks();

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
