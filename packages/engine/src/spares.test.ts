/** P8: an input that ends its worker is found out by spares, while the other keys of its worker go on. */
import { computation } from '@millrace/sdk';
import { describe, expect, it } from 'vitest';
import { type FaultHands, Faults } from './faults.ts';
import type { RunOptions } from './host/run-options.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { FROM_OUTSIDE, type MortalEnd, MortalWorkers, OF_MEMORY, OF_TIME } from './testing/mortal-workers.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

interface Value {
  readonly n: number;
  readonly k: string;
  readonly do?: string;
}

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector', config: { path: 'lines' } },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_b', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a', keyed: true },
    { from: 'n_a', to: 'n_b' },
    { from: 'n_b', to: 'n_out' },
  ],
);

/** Counts per key, in two nodes; `does` is called in front of each. */
function codeOf(does: (node: string, value: Value) => void) {
  const counting = (node: string) =>
    computation<{ in: Value }, { out: Value & { seen: number } }, number>({
      processRecord(record, ctx) {
        const seen = (ctx.state.get() ?? 0) + 1;
        ctx.state.set(seen);
        ctx.map('all').set(record.value.n, true);
        does(node, record.value);
        if (record.value.do === `timer ${node}`) ctx.setTimer('late', ctx.now - 1, { clock: 'wall' });
        ctx.produce('out', { ...record.value, seen });
      },
      processTimer(_, ctx) {
        does(`${node} timer`, { n: -1, k: ctx.key });
      },
    });
  return {
    nodes: { n_a: counting('n_a'), n_b: counting('n_b') },
    keyBy: { s_0: (value: Value) => value.k },
    timestamps: {},
    values: {},
  };
}

function setUp(
  input: readonly Value[],
  does: (node: string, value: Value, die: (end: MortalEnd) => never) => void,
) {
  const workers = new MortalWorkers();
  workers.module = codeOf((node, value) => does(node, value, workers.die));
  const store = new MemoryStore();
  const connectors = new MemoryConnectors();
  connectors.sources.set('lines', [input.map((value) => JSON.stringify(value)).join('\n')]);
  const logs: string[] = [];
  const run = (more: Partial<RunOptions> = {}) =>
    runInMemory(plan, {
      store,
      launcher: workers,
      connectors,
      workers: 1,
      memoryMb: 64,
      log: (message) => logs.push(message),
      ...more,
    });
  const rows = () =>
    (connectors.sinks.get('n_out')?.rows ?? []).map(({ value }) => value as Value & { seen: number });
  return { workers, store, connectors, logs, run, rows };
}

const input = (count: number, keys: number, poison: Record<number, string> = {}): Value[] =>
  Array.from({ length: count }, (_, n) => ({
    n,
    k: `k${n % keys}`,
    ...(n in poison ? { do: poison[n] as string } : {}),
  }));

/** Every record once, in the order of its key, counted as if the poisonous ones had never been. */
function wanted(values: readonly Value[], poison: Record<number, string>): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  for (const value of values) {
    if (value.n in poison) continue;
    const of = byKey.get(value.k) ?? [];
    byKey.set(value.k, [...of, `${value.n}:${of.length + 1}`]);
  }
  return byKey;
}

function found(rows: readonly (Value & { seen: number })[]): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  for (const { n, k, seen } of rows) byKey.set(k, [...(byKey.get(k) ?? []), `${n}:${seen}`]);
  return byKey;
}

const NO_HANDS: FaultHands = {
  killHost: () => undefined,
  killWorker: () => undefined,
  killPostgres: () => undefined,
  stall: async () => undefined,
};

const letters = (store: MemoryStore) =>
  [...store.letters.values()].map(({ node, input: text, error }) => ({ node, n: JSON.parse(text).n, error }));

describe('an input that ends its worker', () => {
  it.each([
    ['in the first node', 'n_a'],
    ['in a node behind it', 'n_b'],
  ])(
    'P8, P11: %s, is one dead letter; its worker dies once; every other record is counted once, in order',
    async (_, where) => {
      const poison = { 33: 'loop' };
      const values = input(200, 7, poison);
      const { workers, run, rows, store } = setUp(values, (node, value, die) => {
        if (node === where && value.do === 'loop') die(OF_TIME);
      });
      const result = await run().finished;
      expect(result).toMatchObject({ kind: 'done' });
      expect(letters(store)).toEqual([
        { node: where, n: 33, error: expect.stringContaining('no progress for 5 s') },
      ]);
      expect(workers.named('worker 0')).toHaveLength(2);
      expect(workers.workers.every(({ isAlive }) => !isAlive)).toBe(true);
      const rest = where === 'n_a' ? wanted(values, poison) : undefined;
      if (rest !== undefined) expect(found(rows())).toEqual(rest);
      expect(rows()).toHaveLength(199);
      for (const ns of found(rows()).values()) {
        const order = ns.map((text) => Number(text.split(':')[0]));
        expect(order).toEqual(order.toSorted((x, y) => x - y));
      }
    },
  );

  it('P8: several in one key and in others: each is one letter, none of another', async () => {
    const poison = { 3: 'loop', 10: 'loop', 17: 'loop', 40: 'memory', 41: 'loop', 90: 'crash' };
    const values = input(120, 7, poison);
    const { workers, run, rows, store } = setUp(values, (node, value, die) => {
      if (node !== 'n_a') return;
      if (value.do === 'loop') die(OF_TIME);
      if (value.do === 'memory') die(OF_MEMORY);
      if (value.do === 'crash') die({ signal: 'SIGABRT', reason: undefined });
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(
      letters(store)
        .map(({ n }) => n)
        .toSorted((x, y) => x - y),
    ).toEqual([3, 10, 17, 40, 41, 90]);
    expect(found(rows())).toEqual(wanted(values, poison));
    expect(workers.named('worker 0')).toHaveLength(2);
  });

  it('P8: a timer that ends its worker is set aside as well, and nothing of its key is lost', async () => {
    const values = input(100, 5, { 12: 'timer n_a' });
    const { run, rows, store } = setUp(values, (node, value, die) => {
      if (node === 'n_a timer' && value.k === 'k2') die(OF_TIME);
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect([...store.letters.values()].map(({ node, origin }) => [node, origin])).toEqual([
      ['n_a', 'timer "late"'],
    ]);
    expect(found(rows())).toEqual(wanted(values, {}));
  });

  it('P8: an innocent input that follows what filled the memory is not blamed', async () => {
    const full = new Set<unknown>();
    const values = input(60, 3, { 20: 'leak' });
    const { workers, run, rows, store } = setUp(values, (node, value, die) => {
      if (node !== 'n_a') return;
      // In a process that leaked, the next key dies of it.
      if (full.has(workers.running) && value.k !== 'k2') die(OF_MEMORY);
      if (value.do === 'leak') full.add(workers.running);
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(letters(store)).toEqual([]);
    expect(rows()).toHaveLength(60);
  });

  it('B6: a worker that is killed from outside leaves no suspects', async () => {
    let isFirst = true;
    const { workers, run, rows, store } = setUp(input(100, 5), (_, value, die) => {
      if (value.n !== 50 || !isFirst) return;
      isFirst = false;
      die(FROM_OUTSIDE);
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(workers.named('spare')).toEqual([]);
    expect(letters(store)).toEqual([]);
    expect(found(rows())).toEqual(wanted(input(100, 5), {}));
  });

  it('SU3: a key is tried on the state it will run on: what came before it in its key counts', async () => {
    const values = input(100, 5, { 30: 'third' });
    const seenBy: number[] = [];
    const { run, rows, store } = setUp(values, (node, value, die) => {
      if (node !== 'n_a' || value.do !== 'third') return;
      seenBy.push(value.n);
      die(OF_TIME);
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(letters(store)).toMatchObject([{ n: 30 }]);
    // The letter says the state its call found, which is that of the key's first six inputs.
    expect([...store.letters.values()].map(({ state }) => state)).toEqual(['6']);
    expect(found(rows())).toEqual(wanted(values, { 30: 'third' }));
  });

  it('SU2: a worker that dies with inputs on trial leaves them to the next one, and nobody is asked twice for a letter', async () => {
    const values = input(120, 6, { 40: 'loop' });
    let killed = 0;
    const { workers, run, rows, store } = setUp(values, (node, value, die) => {
      if (node !== 'n_a' || value.do !== 'loop') return;
      // While a spare is at it, somebody kills the worker that waits for the answer.
      const [worker] = workers.named('worker 0').filter(({ isAlive }) => isAlive);
      if (worker !== workers.running && killed++ < 3) worker?.die(FROM_OUTSIDE);
      die(OF_TIME);
    });
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(killed).toBeGreaterThan(2);
    expect(letters(store)).toMatchObject([{ n: 40 }]);
    expect(found(rows())).toEqual(wanted(values, { 40: 'loop' }));
    expect(workers.named('worker 0').length).toBeLessThanOrEqual(5);
  });

  it('negative control: where what is held runs untried, the worker dies again and again', async () => {
    const poison = { 10: 'loop', 40: 'loop', 70: 'loop' };
    const values = input(100, 5, poison);
    const does = (node: string, value: Value, die: (end: MortalEnd) => never) => {
      if (node === 'n_a' && value.do === 'loop') die(OF_TIME);
    };
    const lives = async (runsUntried: boolean) => {
      const { workers, run, store } = setUp(values, does);
      const faults = new Faults({ kills: [], runsUntried }, NO_HANDS);
      expect(await run({ faults }).finished).toMatchObject({ kind: 'done' });
      expect(letters(store)).toHaveLength(3);
      return workers.named('worker 0').length;
    };
    expect(await lives(false)).toBe(2);
    expect(await lives(true)).toBeGreaterThan(2);
  });

  it('SU6: where the spares find nothing out, everything held runs on', async () => {
    let deaths = 0;
    const values = input(100, 5, { 30: 'loop' });
    const { workers, run, rows, store, logs } = setUp(values, (node, value, die) => {
      if (node === 'n_a' && value.do === 'loop' && deaths++ === 0) die(OF_TIME);
    });
    workers.launched = (worker) => {
      if (worker.name.includes('spare')) worker.die(FROM_OUTSIDE);
    };
    expect(await run().finished).toMatchObject({ kind: 'done' });
    expect(letters(store)).toEqual([]);
    expect(found(rows())).toEqual(wanted(values, {}));
    expect(logs.join()).toContain('could not be found out');
  });
});
