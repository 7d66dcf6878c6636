import { computation } from '@millrace/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import type { Connectors } from '../ports.ts';
import { InProcessWorkers } from '../testing/in-process-workers.ts';
import { MemoryConnectors } from '../testing/memory-connectors.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { PostedPartition } from '../testing/posted-partition.ts';
import { runInMemory } from '../testing/run-in-memory.ts';
import type { PipelineRun, RunOptions } from './run-options.ts';

const count = computation<{ in: { k: string; n: number } }, { out: unknown }, number>({
  processRecord(record, ctx) {
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    ctx.produce('out', { id: record.id, n: record.value.n, k: record.value.k, seen, at: record.timestamp });
  },
});
const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', type: 'injector/http', config: { futureBound: 'off' } },
    { id: 'n_count', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_count', keyed: true },
    { from: 'n_count', to: 'n_out' },
  ],
);
const code = {
  nodes: { n_count: count },
  keyBy: { s_0: (v: { k: string }) => v.k },
  timestamps: { n_in: (v: { at?: unknown }) => ('at' in v ? v.at : 1_000) },
  values: {},
};

/** A pipeline whose hosts come and go. */
class Rig {
  readonly store = new MemoryStore();
  readonly memory = new MemoryConnectors();
  partition = new PostedPartition();
  launcher = new InProcessWorkers(code);
  run: PipelineRun | undefined;
  readonly connectors: Connectors = {
    injector: () => this.partition.connector(),
    sink: () => this.memory.sink(),
  };

  start(workers = 1, more: Partial<RunOptions> = {}): this {
    this.launcher = new InProcessWorkers(code);
    this.run = runInMemory(plan, {
      store: this.store,
      launcher: this.launcher,
      connectors: this.connectors,
      workers,
      ...more,
    });
    return this;
  }

  /** As by kill -9: what it had in memory is gone. */
  async die(): Promise<void> {
    this.run?.abort();
    await this.run?.finished;
    this.partition = new PostedPartition();
  }

  get rows(): { id: string; n: number; k: string; seen: number; at: number }[] {
    return (this.memory.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as never);
  }
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => JSON.stringify({ k: `k${(from + i) % 5}`, n: from + i })).join(
    '\n',
  );
const numbers = (to: number) => Array.from({ length: to }, (_, n) => n);
const remember = { digest: new Uint8Array(32).fill(7), since: Date.now() };

describe('requests posted to an injector', () => {
  const rig = { current: undefined as Rig | undefined };
  const started = (workers = 1) => {
    rig.current = new Rig().start(workers);
    return rig.current;
  };
  afterEach(async () => {
    await rig.current?.die();
  });

  it('are answered when they are committed, with ids of key and index, and the time of their arrival', async () => {
    const { partition, memory: _, ...host } = started(2);
    partition.post('k1', lines(0, 3));
    partition.post('k2', lines(3, 4));
    await expect.poll(() => partition.answers).toHaveLength(2);
    expect(partition.answers.map(({ accepted }) => accepted)).toEqual([3, 1]);
    expect(host.store.log.length).toBeGreaterThan(0);
    await expect.poll(() => rig.current?.rows.length).toBe(4);
    const ids = (rig.current as Rig).rows.map(({ id, at }) => `${id} ${at}`).sort();
    expect(ids).toEqual(['n_in/k1/0 1000', 'n_in/k1/1 1000', 'n_in/k1/2 1000', 'n_in/k2/0 1000']);
  });

  it('are not answered before the commit that holds them', async () => {
    const host = started();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let commits = 0;
    host.store.beforeCommit = async (bundles) => {
      if (Buffer.from(bundles[0]?.body ?? []).includes('k1')) {
        commits++;
        await held;
      }
    };
    host.partition.post('k1', lines(0, 3), { remember });
    await expect.poll(() => commits).toBe(1);
    expect(host.partition.answers).toEqual([]);
    release();
    await expect.poll(() => host.partition.answers.length).toBe(1);
  });

  it('are rejected record by record, and each rejected one is a dead letter, too (P9)', async () => {
    const host = started();
    host.partition.post('k1', '{"k":"a","n":0}\n{"k":\n{"k":"a","n":2,"at":"never"}\n{"k":"a","n":3}');
    await expect.poll(() => host.partition.answers.length).toBe(1);
    const [answer] = host.partition.answers;
    expect(answer?.accepted).toBe(2);
    expect(answer?.rejected.map(({ index }) => index)).toEqual([1, 2]);
    await host.run?.drain();
    expect([...host.store.letters.keys()].sort()).toEqual(['n_in/k1@1', 'n_in/k1@2']);
  });

  it('Y5: go in once when workers die in the middle of them, keyed or not', async () => {
    const host = started(2);
    let commits = 0;
    host.store.beforeCommit = async () => {
      if (++commits % 5 === 3 && commits < 40) host.launcher.workers.at(-1 - (commits % 2))?.kill();
    };
    for (let i = 0; i < 5; i++)
      host.partition.post(`k${i}`, lines(i * 6_000, (i + 1) * 6_000), i % 2 === 0 ? { remember } : {});
    await expect.poll(() => host.partition.answers.length).toBe(5);
    expect(host.partition.answers.map(({ accepted }) => accepted)).toEqual([
      6_000, 6_000, 6_000, 6_000, 6_000,
    ]);
    await expect.poll(() => host.rows.length).toBe(30_000);
    expect(host.rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(numbers(30_000));
  });

  it.each([2, 3, 4, 5, 6])(
    'Y5: go in once when the host dies at commit %i and the client sends the same key again, behind another',
    async (dieAt) => {
      const host = new Rig();
      rig.current = host;
      let commits = 0;
      host.store.beforeCommit = async () => {
        if (++commits === dieAt) host.run?.abort();
      };
      host.start(2);
      // Longer than a bundle, so that a commit cuts it.
      const body = lines(0, 30_000);
      host.partition.post('k', body, { remember });
      await host.run?.finished;
      await host.die();
      host.start(2);
      await expect.poll(() => host.partition.memory).toBeDefined();
      host.partition.post('other', lines(30_000, 30_001));
      const find = () => host.partition.memory?.find('k');
      const found = await find();
      expect(found?.done).not.toBe(true);
      host.partition.post('k', body, { remember, resume: found });
      await expect.poll(async () => (await find())?.done).toBe(true);
      expect(await find()).toMatchObject({ accepted: 30_000, through: 30_000 });
      await expect.poll(() => host.rows.length).toBe(30_001);
      expect(host.rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(numbers(30_001));
    },
  );

  it('are remembered across folds and restarts, and forgotten after their time', async () => {
    const host = started();
    let now = Date.now();
    const stale = { digest: remember.digest, since: now - 120_000 };
    host.partition.post('old', lines(0, 1), { remember: stale });
    host.partition.post('new', lines(1, 2), { remember: { digest: remember.digest, since: now } });
    await expect.poll(() => host.partition.answers.length).toBe(2);
    await host.run?.drain();
    host.partition = new PostedPartition();
    host.start(1, { clock: { now: () => now } });
    await expect.poll(() => host.partition.memory).toBeDefined();
    const { memory } = host.partition;
    await expect.poll(() => memory?.find('new')).toMatchObject({ done: true, accepted: 1 });
    expect(await memory?.find('old')).toBeUndefined();
    expect(await memory?.find('never')).toBeUndefined();
    now += 61_000;
    expect(await memory?.find('new')).toBeUndefined();
  });
});
