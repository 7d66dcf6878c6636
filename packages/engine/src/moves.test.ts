/** M23: keys move between running workers, a range or a single one, while their records come in. */
import { HASH_END } from '@millrace/protocol';
import { computation } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import type { MoveAnswer } from './host/move-request.ts';
import type { PipelineRun } from './host/run-options.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';
import { createHasher } from './worker/key-hash.ts';

const WORKERS = 3;
const KEYS = 21;
const MOST_MOVES = 20;

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

const counting = computation<{ in: Value }, { out: Value & { seen: number } }, number>({
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

function setUp() {
  const connectors = new MemoryConnectors();
  const lines = (values: readonly Value[]) => values.map((value) => JSON.stringify(value)).join('\n');
  // By partition, each key in one of them.
  connectors.sources.set(
    'lines',
    [0, 1, 2].map((part) => lines(input.filter(({ n }) => (n % KEYS) % 3 === part))),
  );
  const launcher = new InProcessWorkers(code);
  const run = runInMemory(plan, { store: new MemoryStore(), launcher, connectors, workers: WORKERS });
  const rows = () =>
    (connectors.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as Value & { seen: number });
  return { run, rows, launcher };
}

/** Asks for one move after the other while the run goes on, which ends only between two; returns the answers. */
async function moveOn(
  run: PipelineRun,
  next: (i: number) => Parameters<PipelineRun['moveKeys']>[0],
): Promise<MoveAnswer[]> {
  const answers: MoveAnswer[] = [];
  let isOver = false;
  void run.finished.then(() => {
    isOver = true;
  });
  for (let i = 0; !isOver && answers.length < MOST_MOVES; i++) {
    const answer = await run.moveKeys(next(i));
    if (answer.kind === 'moved') answers.push(answer);
    else await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return answers;
}

function expectEachOnceInOrder(rows: readonly (Value & { seen: number })[]): void {
  expect(rows.length).toBe(input.length);
  const last = new Map<string, number>();
  for (const { n, k, seen } of rows) {
    const before = last.get(k) ?? 0;
    expect(seen, `of ${k}`).toBe(before + 1);
    expect(n).toBe(before * KEYS + Number(k.slice(1)));
    last.set(k, seen);
  }
}

describe('keys that move', () => {
  it('M23, P11: under load each record counts once and in the order of its key, whoever owns it', async () => {
    const { run, rows } = setUp();
    const answers = await moveOn(run, (i) => ({
      start: ((i * 2_654_435_761) % HASH_END) >>> 1,
      end: HASH_END - (((i * 40_503) % HASH_END) >>> 2),
      to: i % WORKERS,
      nodes: i % 3 === 0 ? ['n_b'] : undefined,
    }));
    expect((await run.finished).kind).toBe('done');
    expectEachOnceInOrder(rows());
    expect(answers.length).toBeGreaterThan(3);
  });

  it('M23: an interval is split down to one key, and that key goes elsewhere alone', async () => {
    const { run, rows } = setUp();
    const { high } = (await createHasher()).keyHash('k7');
    const answers = await moveOn(run, (i) => ({
      nodes: ['n_a'],
      start: high,
      end: high + 1,
      to: i % WORKERS,
    }));
    expect((await run.finished).kind).toBe('done');
    expectEachOnceInOrder(rows());
    expect(answers.length).toBeGreaterThan(3);
  });

  it('Y5: workers that die while keys move lose and repeat nothing', async () => {
    const { run, rows, launcher } = setUp();
    let kills = 0;
    const answers = await moveOn(run, (i) => {
      if (i % 2 === 1 && kills++ < 6) launcher.workers.at(-1 - (i % WORKERS))?.kill();
      return { start: 0, end: HASH_END, to: i % WORKERS };
    });
    expect((await run.finished).kind).toBe('done');
    expectEachOnceInOrder(rows());
    expect(answers.length).toBeGreaterThan(0);
  });
});
