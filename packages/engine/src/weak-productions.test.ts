/**
 * M12, M13: weak productions of a chain whose stages lie on different workers, and MillWheel's straggler as a script.
 * M15: its zombie.
 */
import { decodeHostFrame, readBundleBody, SINK_SLOT, slotOf } from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PipelineRun } from './host/run-options.ts';
import type { SealedBundle, WorkerLauncher, WorkerProcess } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';
import { createHasher } from './worker/key-hash.ts';

const WORKERS = 3;
const A = 0;
const B = 1;
const C = 2;

/** By slot, a key of it. */
let keys: readonly string[];
beforeAll(async () => {
  const { keyHash } = await createHasher();
  const keyOf = (slot: number) =>
    Array.from({ length: 100 }, (_, i) => `k${i}`).find((key) => slotOf(keyHash(key), WORKERS) === slot);
  keys = [A, B, C].map((slot) => keyOf(slot) as string);
});

const planWith = (productions: 'weak' | 'strong') =>
  planOf(
    [
      { id: 'n_in', kind: 'injector', productions, config: { path: 'lines' } },
      { id: 'n_a', kind: 'computation', productions },
      { id: 'n_b', kind: 'computation', productions },
      { id: 'n_c', kind: 'computation', productions },
      { id: 'n_out', kind: 'sink' },
    ],
    [
      { from: 'n_in', to: 'n_a', keyed: true },
      { from: 'n_a', to: 'n_b', keyed: true },
      { from: 'n_b', to: 'n_c', keyed: true },
      { from: 'n_c', to: 'n_out' },
    ],
  );

interface Value {
  readonly n: number;
  readonly seen?: number;
}

/** What it counts tells whether a record came twice. */
const counting = computation<{ in: Value }, { out: Value }, number>({
  processRecord({ value }, ctx) {
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    ctx.produce('out', { n: value.n, seen });
  },
});

const code = {
  nodes: { n_a: counting, n_b: counting, n_c: counting },
  keyBy: { s_0: () => keys[A], s_1: () => keys[B], s_2: () => keys[C] },
  timestamps: {},
  values: {},
};

/** Workers whose input can be held up, and that can be killed. */
class Workers implements WorkerLauncher {
  readonly #inner = new InProcessWorkers(code);
  readonly #bySlot = new Map<number, WorkerProcess>();
  readonly #held = new Map<number, Uint8Array[]>();
  starts = 0;

  async launch({ name }: { readonly name: string }): Promise<WorkerProcess> {
    const process = await this.#inner.launch();
    const slot = Number(name.split(' ').at(-1));
    this.starts++;
    this.#bySlot.set(slot, process);
    // One that is started anew does not stand still.
    this.#held.delete(slot);
    const send = process.send.bind(process);
    process.send = (frame) => {
      const held = this.#held.get(slot);
      if (held === undefined || this.#bySlot.get(slot) !== process) send(frame);
      else held.push(frame.slice());
    };
    return process;
  }

  hold(slot: number): void {
    this.#held.set(slot, []);
  }

  release(slot: number): void {
    const frames = this.#held.get(slot) ?? [];
    this.#held.delete(slot);
    for (const frame of frames) this.#bySlot.get(slot)?.send(frame);
  }

  kill(slot: number): void {
    this.#held.delete(slot);
    this.#bySlot.get(slot)?.kill();
  }

  heldDeliveries(slot: number): number {
    const frames = this.#held.get(slot) ?? [];
    return frames.filter((frame) => decodeHostFrame(frame).kind === 'deliver').length;
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}

async function begin(records: number, productions: 'weak' | 'strong' = 'weak') {
  const store = new MemoryStore();
  const launcher = new Workers();
  const connectors = new MemoryConnectors();
  const lines = Array.from({ length: records }, (_, n) => JSON.stringify({ n })).join('\n');
  connectors.sources.set('lines', [lines]);
  connectors.chunkBytes = 8;
  let ahead = 0;
  let isReady = false;
  const run = runInMemory(planWith(productions), {
    store,
    launcher,
    connectors,
    workers: WORKERS,
    clock: { now: () => Date.now() + ahead },
    paused: true,
    onRunning: () => {
      isReady = true;
    },
  });
  await expect.poll(() => isReady).toBe(true);
  const taken = (node: string) => run.progress()?.nodes.find(({ name }) => name === node)?.in;
  const inFlight = () => run.progress()?.streams[2]?.inFlight;
  const rows = () => (connectors.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as Value);
  return {
    store,
    launcher,
    run,
    taken,
    inFlight,
    rows,
    later: (ms: number) => {
      ahead += ms;
    },
  };
}

const expected = (records: number): Value[] =>
  Array.from({ length: records }, (_, n) => ({ n, seen: n + 1 }));

/** Records for other workers that are in the log. */
function stored({ log }: MemoryStore): number {
  return log
    .flatMap(({ body }) => readBundleBody(body).batches)
    .filter(({ slot }) => slot !== SINK_SLOT)
    .reduce((sum, { count }) => sum + count, 0);
}

describe('weak productions', () => {
  it('M12: a healthy chain stores none of what goes from worker to worker; a strong one stores all', async () => {
    const logged: number[] = [];
    for (const productions of ['weak', 'strong'] as const) {
      const { store, run, rows } = await begin(1, productions);
      // Released segments would take what was stored with them.
      store.releaseLog = async () => undefined;
      run.resume();
      expect((await run.finished).kind).toBe('done');
      expect(rows()).toEqual(expected(1));
      logged.push(stored(store));
    }
    // Its source is read by the first worker, where its first stage is.
    expect(logged).toEqual([0, 2]);
  });

  it('M12: with the last worker of a chain standing still nobody in front of it is acknowledged before the threshold', async () => {
    const { launcher, run, taken, later, rows } = await begin(1);
    launcher.hold(C);
    run.resume();
    await expect.poll(() => launcher.heldDeliveries(C)).toBe(1);
    expect([taken('n_a'), taken('n_b')]).toEqual([0, 0]);
    // Two looks of the host, and far from the threshold.
    await pause(250);
    expect([taken('n_a'), taken('n_b')]).toEqual([0, 0]);
    later(1_000);
    await expect.poll(() => [taken('n_a'), taken('n_b'), taken('n_c')]).toEqual([1, 1, 0]);
    launcher.release(C);
    expect((await run.finished).kind).toBe('done');
    expect(rows()).toEqual(expected(1));
  });

  it.each([
    ['its sender', B],
    ['the straggler itself', C],
  ])(
    'M13: the production of a straggler is checkpointed after a second, survives the end of %s, and is gone once it is acknowledged',
    async (_, victim) => {
      const { store, launcher, run, taken, inFlight, later, rows } = await begin(1);
      launcher.hold(C);
      run.resume();
      await expect.poll(() => launcher.heldDeliveries(C)).toBe(1);
      expect([taken('n_a'), inFlight()]).toEqual([0, 0]);
      later(1_000);
      await expect.poll(() => [taken('n_a'), taken('n_b'), inFlight()]).toEqual([1, 1, 1]);
      expect(run.runtime()?.weak).toEqual({ early: 2, checkpointed: 1 });
      launcher.kill(victim);
      await expect.poll(() => launcher.starts).toBe(WORKERS + 1);
      if (victim !== C) launcher.release(C);
      const result = await run.finished;
      expect(result.kind).toBe('done');
      expect(rows()).toEqual(expected(1));
      expect(await store.undelivered()).toEqual([]);
      // Nobody else was ended over it.
      expect(launcher.starts).toBe(WORKERS + 1);
    },
  );

  it('WP2: who was given what a lost worker had not stored is ended with it, and each record counts once', async () => {
    const { launcher, run, taken, rows } = await begin(1);
    launcher.hold(C);
    run.resume();
    await expect.poll(() => launcher.heldDeliveries(C)).toBe(1);
    launcher.kill(B);
    // B was given what A had stored nowhere, which goes on; C what B had.
    await expect.poll(() => launcher.starts).toBe(WORKERS + 2);
    expect((await run.finished).kind).toBe('done');
    expect(taken('n_c')).toBe(1);
    expect(rows()).toEqual(expected(1));
  });

  it('P11, P3: many records under load and with workers that end come once, in their order', async () => {
    const records = 300;
    const { launcher, run, rows } = await begin(records);
    run.resume();
    for (const slot of [B, A, C]) {
      const before = rows().length;
      await expect.poll(() => rows().length).toBeGreaterThan(Math.min(before, records - 1));
      launcher.kill(slot);
    }
    expect((await run.finished).kind).toBe('done');
    expect(rows()).toEqual(expected(records));
    expect(run.runtime()?.weak?.early).toBeGreaterThan(0);
  });
});

describe('a zombie', () => {
  it('M15: its commit is refused behind the claim of its successor, its input comes again, and its timer fires once', async () => {
    const plan = planOf(
      [
        { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
        { id: 'n_b', kind: 'computation' },
        { id: 'n_out', kind: 'sink' },
      ],
      [
        { from: 'n_in', to: 'n_b', keyed: true },
        { from: 'n_b', to: 'n_out' },
      ],
    );
    const arming = computation<{ in: Value }, { out: string }, number>({
      processRecord(_, ctx) {
        ctx.state.set((ctx.state.get() ?? 0) + 1);
        ctx.setTimer('ring', Date.now() + 1, { clock: 'wall' });
      },
      processTimer(_, ctx) {
        ctx.produce('out', `rang behind ${ctx.state.get()}`);
      },
    });
    const launcher = new InProcessWorkers({
      nodes: { n_b: arming },
      keyBy: { s_0: () => 'k' },
      timestamps: {},
      values: {},
    });
    const store = new MemoryStore();
    const connectors = new MemoryConnectors();
    connectors.sources.set('lines', [JSON.stringify({ n: 0 })]);
    let letGo = (): void => undefined;
    let onTheWire: readonly SealedBundle[] | undefined;
    store.beforeCommit = (bundles) => {
      const sets = bundles.some(({ body }) => Buffer.from(body).includes('ring'));
      if (!sets || onTheWire !== undefined) return Promise.resolve();
      onTheWire = bundles;
      return new Promise((resolve) => {
        letGo = resolve;
      });
    };
    const begin = (): PipelineRun => runInMemory(plan, { store, launcher, connectors });
    const old = begin();
    await expect.poll(() => onTheWire).toBeDefined();
    const successor = begin();
    const result = await successor.finished;
    letGo();
    expect(await old.finished).toMatchObject({ kind: 'failed', cause: 'fenced' });
    expect(result.kind).toBe('done');
    expect(connectors.sinks.get('n_out')?.rows.map(({ value }) => value)).toEqual(['rang behind 1']);
    const lost = onTheWire?.[0] as SealedBundle;
    expect(store.log.filter(({ sequencer }) => sequencer === lost.sequencer)).toEqual([]);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
