/** Workers come and go while records flow: new ones get their share, those that go give all away (CW1–CW3). */
import { computation } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import { Faults } from './faults.ts';
import type { PipelineRun } from './host/run-options.ts';
import type { SourceChunk } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const KEYS = 21;

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_b', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a', keyed: true },
    { from: 'n_a', to: 'n_b', keyed: true },
    { from: 'n_b', to: 'n_out' },
  ],
);

interface Value {
  readonly n: number;
  readonly k: string;
}
type Row = Value & { readonly seen: number };

const counting = computation<{ in: Value }, { out: Row }, number>({
  processRecord(record, ctx) {
    const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen);
    ctx.produce('out', { ...record.value, seen });
  },
});
const code = {
  nodes: { n_a: counting, n_b: counting },
  keyBy: { s_0: ({ k }: Value) => k, s_1: ({ k }: Value) => `b${k}` },
  timestamps: {},
  values: {},
};
const input = Array.from({ length: 6_000 }, (_, n): Value => ({ n, k: `k${n % KEYS}` }));
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

function setUp(workers: number, store = new MemoryStore()) {
  const connectors = new MemoryConnectors();
  // By partition, each key in one of them.
  connectors.sources.set(
    'lines',
    [0, 1, 2].map((part) => lines(input.filter(({ n }) => (n % KEYS) % 3 === part))),
  );
  const launcher = new InProcessWorkers(code);
  const run = runInMemory(plan, { store, launcher, connectors, workers });
  const rows = () => (connectors.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as Row);
  return { run, rows, launcher, connectors };
}

function expectEachOnceInOrder(rows: readonly Row[]): void {
  expect(rows.length).toBe(input.length);
  const last = new Map<string, number>();
  for (const { n, k, seen } of rows) {
    const before = last.get(k) ?? 0;
    expect(seen, `of ${k}`).toBe(before + 1);
    expect(n).toBe(before * KEYS + Number(k.slice(1)));
    last.set(k, seen);
  }
}

const begun = (rows: () => readonly unknown[]) => expect.poll(() => rows().length).toBeGreaterThan(0);
const sharesOf = (run: PipelineRun) => run.runtime()?.workers.map(({ share }) => Math.round(share * 100));

describe('a pipeline whose workers come and go', () => {
  it('P6, P11: each record counts once and in the order of its key, while others go on', async () => {
    const { run, rows, connectors } = setUp(2);
    connectors.isEndless = true;
    for (const [i, workers] of [4, 1, 3].entries()) {
      await expect.poll(() => rows().length).toBeGreaterThan(i * 1_500);
      await run.setWorkers(workers);
      const share = Math.round(100 / workers);
      expect(sharesOf(run)).toEqual(Array.from({ length: workers }, () => share));
    }
    await expect.poll(() => rows().length).toBe(input.length);
    run.abort();
    expectEachOnceInOrder(rows());
  });

  it('another wish on the way is the one that counts', async () => {
    const { run, rows } = setUp(1);
    await begun(rows);
    run.pause();
    const first = run.setWorkers(4);
    const last = run.setWorkers(2);
    await Promise.all([first, last]);
    expect(sharesOf(run)).toEqual([50, 50]);
    run.resume();
    expect((await run.finished).kind).toBe('done');
    expectEachOnceInOrder(rows());
  });

  it('Y5: workers that die meanwhile lose and repeat nothing', async () => {
    const { run, rows, launcher } = setUp(3);
    await begun(rows);
    for (const [i, workers] of [1, 4, 2].entries()) {
      const changed = run.setWorkers(workers);
      launcher.workers.at(-1 - (i % 2))?.kill();
      await changed;
    }
    expect((await run.finished).kind).toBe('done');
    expectEachOnceInOrder(rows());
  });

  it('a run that is taken up again has as many as the last one had, and goes on with what that had begun', async () => {
    const store = new MemoryStore();
    const first = setUp(2, store);
    first.connectors.isEndless = true;
    await begun(first.rows);
    void first.run.setWorkers(4);
    await expect.poll(() => first.run.runtime()?.workers.length).toBe(4);
    first.run.abort();
    await first.run.finished;
    const next = setUp(4, store);
    next.connectors.sinks.set('n_out', first.connectors.sinks.get('n_out') as never);
    next.connectors.isEndless = true;
    await expect.poll(() => sharesOf(next.run)).toEqual([25, 25, 25, 25]);
    await expect.poll(() => next.rows().length).toBe(input.length);
    next.run.abort();
    expectEachOnceInOrder(next.rows());
  });
});

interface Timed {
  readonly t: number;
}

const PARTS: readonly (readonly [before: readonly number[], behind: readonly number[]])[] = [
  [[50_000, 51_000], [60_000]],
  [[1_000], [2_000, 3_000]],
];

/** Two partitions; what lies behind the gate of one is read when it is opened. */
class Gated extends MemoryConnectors {
  readonly #openers: (() => void)[] = [];
  readonly #gates = PARTS.map((_, part) => new Promise<void>((open) => (this.#openers[part] = open)));

  open(part: number): void {
    this.#openers[part]?.();
  }

  override injector(): ReturnType<MemoryConnectors['injector']> {
    return {
      open: async () => ({
        partitions: PARTS.map((_, part) => ({
          name: `p-${part}`,
          read: (offset: number, signal: AbortSignal) => this.#readPart(part, offset, signal),
        })),
        close: async () => undefined,
      }),
    };
  }

  async *#readPart(part: number, offset: number, signal: AbortSignal): AsyncIterable<SourceChunk> {
    const texts = (PARTS[part] ?? []).map((times) => times.map((t) => `{"t":${t}}\n`).join(''));
    const [before = '', behind = ''] = texts.map((text) => new TextEncoder().encode(text));
    if (offset < before.length) yield { kind: 'bytes', offset, bytes: before.slice(offset) as Uint8Array };
    await Promise.race([
      this.#gates[part],
      new Promise((resolve) => signal.addEventListener('abort', resolve)),
    ]);
    if (signal.aborted) return;
    const at = Math.max(offset, before.length);
    if (at < before.length + behind.length)
      yield { kind: 'bytes', offset: at, bytes: behind.slice(at - before.length) as Uint8Array };
    yield { kind: 'ended' };
  }
}

const telling = computation<{ in: Timed }, { out: { t: number; late: boolean } }>({
  processRecord({ value, late }, ctx) {
    ctx.produce('out', { t: value.t, late });
  },
});

/** A worker that reads what is far behind goes; whoever is far ahead reads that, too. Returns which were late. */
async function lateBehind(faults?: Faults): Promise<number[]> {
  const connectors = new Gated();
  const times = {
    ...code,
    nodes: { n_a: telling, n_b: telling },
    keyBy: { s_0: () => 'k', s_1: () => 'k' },
    timestamps: { n_in: ({ t }: Timed) => t },
  };
  const launcher = new InProcessWorkers(times as never);
  const run = runInMemory(plan, { launcher, connectors, workers: 2, ...(faults && { faults }) });
  const rows = () =>
    (connectors.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as { t: number; late: boolean });
  await expect.poll(() => rows().length).toBe(3);
  await run.setWorkers(1);
  connectors.open(1);
  await expect.poll(() => rows().length).toBe(5);
  connectors.open(0);
  expect((await run.finished).kind).toBe('done');
  return rows().flatMap(({ t, late }) => (late ? [t] : []));
}

describe('a partition whose reader goes', () => {
  it('CW3, W3: is on time with its next reader, which was far ahead', async () => {
    expect(await lateBehind()).toEqual([]);
  });

  it('CW3: and is late where that starts where it stood (negative control)', async () => {
    const hands = {
      killHost: () => undefined,
      killWorker: () => undefined,
      killPostgres: () => undefined,
      stall: async () => undefined,
    };
    const faults = new Faults({ kills: [], controls: ['unlowered-heirs'] }, hands);
    expect(await lateBehind(faults)).toEqual([2_000, 3_000]);
  });
});
