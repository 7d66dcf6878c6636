import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import type { PipelineRun } from './host/run-options.ts';
import type { Connectors, DeadLetterRow, Redrive, RedriveOutcome } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

interface Event {
  readonly user: string;
  readonly n: number;
  readonly at: number;
}

const MINUTE = 60_000;
const START = 1_700_000_000_000;
const USERS = ['ann', 'bob', 'cid', 'dee'];

const plan = planOf(
  [
    {
      id: 'n_in',
      kind: 'injector',
      config: { path: 'events', slack: '0s', futureBound: 'off', idleTimeout: 'off' },
    },
    { id: 'n_tally', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_tally', keyed: true },
    { from: 'n_tally', to: 'n_out' },
  ],
);

/** Which event breaks what; a mended version breaks nothing. */
interface Breakage {
  readonly handler?: (n: number) => boolean;
  readonly key?: (n: number) => boolean;
  readonly timestamp?: (n: number) => boolean;
  readonly timer?: (key: string) => boolean;
}

function codeWith({ handler, key, timestamp }: Breakage) {
  const tally = computation<{ in: Event }, { out: { n: number; seen: number; late: boolean } }, number>({
    processRecord(record, ctx) {
      const { n } = record.value;
      if (handler?.(n)) throw new Error(`cannot take ${n}`);
      const seen = (ctx.state.get() ?? 0) + 1;
      ctx.state.set(seen);
      ctx.produce('out', { n, seen, late: record.late });
    },
  });
  return {
    nodes: { n_tally: tally },
    keyBy: {
      s_0: ({ n, user }: Event) => {
        if (key?.(n)) throw new Error(`no key for ${n}`);
        return user;
      },
    },
    timestamps: {
      n_in: ({ n, at }: Event) => {
        if (timestamp?.(n)) throw new Error(`no time for ${n}`);
        return at;
      },
    },
    values: {},
  };
}

/** Each event of a user arms the same timer anew; what is written comes of timers only. */
function alarmsWith({ timer }: Breakage) {
  const alarm = computation<{ in: Event }, { out: { n: number; seen: number; late: boolean } }, number>({
    processRecord({ timestamp }, ctx) {
      ctx.setTimer('alarm', timestamp + MINUTE / 2, { hold: timestamp + MINUTE / 3 });
    },
    processTimer({ tag, time, key }, ctx) {
      if (timer?.(key)) throw new Error(`no alarm for ${key}`);
      if (tag !== 'alarm') throw new Error(`a timer nobody armed: ${tag}`);
      const seen = (ctx.state.get() ?? 0) + 1;
      ctx.state.set(seen);
      ctx.produce('out', { n: Math.floor((time - START) / MINUTE), seen, late: false });
    },
  });
  return { ...codeWith({}), nodes: { n_tally: alarm } };
}

function eventsOf(count: number): Event[] {
  return Array.from({ length: count }, (_, n) => ({
    n,
    user: USERS[n % USERS.length] as string,
    at: START + n * MINUTE,
  }));
}

/** A source that goes on for ever: it has nothing more for now. */
function endless(memory: MemoryConnectors): Connectors {
  return {
    sink: () => memory.sink(),
    injector: () => ({
      open: async () => ({
        partitions: [
          {
            name: 'events',
            async *read(offset: number, signal: AbortSignal) {
              const bytes = new TextEncoder().encode(memory.sources.get('events')?.[0] ?? '');
              if (offset < bytes.length) yield { kind: 'bytes' as const, offset, bytes: bytes.slice(offset) };
              await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
            },
          },
        ],
        close: async () => undefined,
      }),
    }),
  };
}

class Pipeline {
  readonly store: MemoryStore;
  readonly memory = new MemoryConnectors();
  workers = 2;
  plan = plan;
  codeWith: (breakage: Breakage) => ReturnType<typeof codeWith> = codeWith;

  constructor(events: readonly unknown[], store = new MemoryStore()) {
    this.store = store;
    this.read(events);
  }

  /** From its beginning; what was read of it before is skipped. */
  read(events: readonly unknown[]): void {
    const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
    this.memory.sources.set('events', [`${lines.join('\n')}\n`]);
  }

  start(breakage: Breakage): PipelineRun {
    return runInMemory(this.plan, {
      store: this.store,
      launcher: new InProcessWorkers(this.codeWith(breakage)),
      connectors: endless(this.memory),
      workers: this.workers,
    });
  }

  /** Runs until so many letters are recorded and so many rows written, then stops as if killed. */
  async fail(breakage: Breakage, letters: number, rows: number): Promise<void> {
    const run = this.start(breakage);
    await this.until(run, letters, rows);
    // Folds, too.
    run.abort();
    expect((await run.finished).kind).toBe('drained');
    expect(this.store.letters.size).toBe(letters);
  }

  /** So many letters in all, and so many rows. */
  async until(run: PipelineRun, letters: number, rows: number): Promise<void> {
    const dead = () => run.progress()?.nodes.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
    await expect.poll(dead, { timeout: 5_000 }).toBe(letters);
    await expect.poll(() => this.rows.length, { timeout: 5_000 }).toBe(rows);
  }

  async redrive(run: PipelineRun) {
    await expect.poll(() => run.progress() !== undefined).toBe(true);
    const upTo = await this.store.newestLetter();
    return run.redrive({ group: '', above: 0, upTo });
  }

  get rows() {
    const rows = this.memory.sinks.get('n_out')?.rows ?? [];
    return rows.map(({ key, timestamp, value }) => ({
      key,
      timestamp,
      ...(value as { n: number; seen: number; late: boolean }),
    }));
  }

  get numbers(): number[] {
    return this.rows.map(({ n }) => n).sort((a, b) => a - b);
  }
}

const everyThird = (n: number) => n % 3 === 0;
const isThird = ({ n }: { n: number }) => n % 3 === 0;

test('P8: dead letters whose cause is mended are processed once, in key order, and their records keep key and time', async () => {
  const events = eventsOf(60);
  const pipeline = new Pipeline(events);
  await pipeline.fail({ handler: everyThird }, 20, 40);
  const run = pipeline.start({});
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 20, refused: [] });
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBe(60);
  expect(pipeline.store.letters.size).toBe(0);
  expect(await pipeline.redrive(run)).toEqual({ redriven: 0, refused: [], next: undefined });
  expect(pipeline.numbers).toEqual(events.map(({ n }) => n));
  for (const user of USERS) {
    const again = pipeline.rows.filter((row) => row.key === user && isThird(row)).map(({ n }) => n);
    expect(again).toEqual([...again].sort((a, b) => a - b));
  }
  for (const row of pipeline.rows)
    expect(row).toMatchObject({ key: events[row.n]?.user, timestamp: events[row.n]?.at });
  await run.drain();
  const { summary, kind } = await run.finished;
  expect(kind).toBe('drained');
  expect(summary.nodes[1]).toMatchObject({ in: 80, redriven: 20, deadLettered: 20, processed: 60 });
});

test('W3, W8: what is redriven below the watermark is late, and the watermark stays where it was', async () => {
  const pipeline = new Pipeline(eventsOf(30));
  await pipeline.fail({ handler: (n) => n < 3 }, 3, 27);
  const run = pipeline.start({});
  await expect
    .poll(() => run.progress()?.nodes[1]?.watermark, { timeout: 5_000 })
    .toMatchObject({
      kind: 'at',
      time: START + 29 * MINUTE,
    });
  await pipeline.redrive(run);
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBe(30);
  expect(pipeline.rows.filter(({ late }) => late).map(({ n }) => n)).toEqual([0, 1, 2]);
  expect(run.progress()?.nodes[1]?.watermark).toMatchObject({ time: START + 29 * MINUTE });
  run.abort();
});

test('P8: what fails again is one dead letter again', async () => {
  const pipeline = new Pipeline(eventsOf(9));
  await pipeline.fail({ handler: everyThird }, 3, 6);
  const before = [...pipeline.store.letters.keys()];
  const run = pipeline.start({ handler: (n) => n === 3 });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 3 });
  await pipeline.until(run, 4, 8);
  await run.drain();
  expect((await run.finished).kind).toBe('drained');
  expect(pipeline.store.letters.size).toBe(1);
  expect(before).toContain([...pipeline.store.letters.keys()][0]);
});

test('G2: a record whose key could not be made is keyed by the code that runs', async () => {
  const pipeline = new Pipeline(eventsOf(30));
  await pipeline.fail({ key: everyThird }, 10, 20);
  const run = pipeline.start({ key: (n) => n === 27 });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 10 });
  await pipeline.until(run, 11, 29);
  expect(pipeline.rows.every(({ n, key }) => key === USERS[n % USERS.length])).toBe(true);
  await run.drain();
  expect((await run.finished).summary.nodes[1]).toMatchObject({ in: 40, redriven: 10, deadLettered: 11 });
});

test('a line that could not be read or stamped goes through the ingest stage again, under its old id', async () => {
  const events = eventsOf(12);
  const pipeline = new Pipeline([...events, '{broken']);
  await pipeline.fail({ timestamp: everyThird }, 5, 8);
  const ids = [...pipeline.store.letters.values()].map(({ id }) => id);
  const run = pipeline.start({ handler: (n) => n === 3 });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 5 });
  await pipeline.until(run, 7, 11);
  await run.drain();
  const { nodes } = (await run.finished).summary;
  expect(nodes[0]).toMatchObject({ in: 18, redriven: 5, deadLettered: 6, out: 12 });
  const [broken, failed] = [...pipeline.store.letters.values()].sort((a) => (a.node === 'n_in' ? -1 : 1));
  expect(ids).toContain(broken?.id);
  expect(failed?.id).toBe(`n_tally/${ids.find((id) => failed?.id.endsWith(id))}`);
});

test('a letter that cannot be delivered is refused with the reason, and stays', async () => {
  const pipeline = new Pipeline(eventsOf(6));
  await pipeline.fail({ handler: everyThird }, 2, 4);
  const [first] = pipeline.store.letters.values() as Iterable<DeadLetterRow>;
  pipeline.store.letters.set('elsewhere', { ...(first as DeadLetterRow), id: 'elsewhere', node: 'n_gone' });
  pipeline.store.letters.set('damaged', {
    ...(first as DeadLetterRow),
    id: 'damaged',
    redrive: { kind: 'record', port: 'in', bytes: 'AAAA' },
  });
  pipeline.store.letters.set('old', { ...(first as DeadLetterRow), id: 'old', redrive: undefined });
  const run = pipeline.start({});
  const { redriven, refused } = await pipeline.redrive(run);
  expect(redriven).toBe(2);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'the version that runs has no such node any more',
    'what was kept of its input is damaged',
    expect.stringMatching(/was not kept/),
  ]);
  expect([...pipeline.store.letters.keys()].sort()).toEqual(['damaged', 'elsewhere', 'old']);
  run.abort();
});

test('nothing is appended for a run that is being stopped: another version would misread it', async () => {
  const pipeline = new Pipeline(eventsOf(3));
  await pipeline.fail({ handler: everyThird }, 1, 2);
  const run = pipeline.start({});
  await expect.poll(() => run.progress() !== undefined).toBe(true);
  const drained = run.drain();
  await expect(pipeline.redrive(run)).rejects.toThrow('is being stopped');
  await drained;
  expect(pipeline.store.letters.size).toBe(1);
});

/** Its host dies with the redrive: in front of the transaction, behind it, or before it hears the answer. */
class DyingStore extends MemoryStore {
  dies: 'before' | 'after' | 'split' | undefined;
  die: () => void = () => undefined;

  override async redrive(redrive: Redrive): Promise<RedriveOutcome> {
    const { dies } = this;
    this.dies = undefined;
    if (dies === undefined) return super.redrive(redrive);
    if (dies === 'split') {
      // Negative control of RV1: the deliveries are appended, and the letters were to go in a transaction of their own.
      const kept = await this.chosenLetters({ numbers: redrive.numbers }, redrive.numbers.length);
      await super.redrive(redrive);
      for (const { letter } of kept) this.letters.set(letter.id, letter);
    }
    if (dies === 'after') await super.redrive(redrive);
    this.die();
    return new Promise(() => undefined);
  }
}

const byUsers = (users: readonly string[]): Event[] =>
  users.map((user, n) => ({ n, user, at: START + n * MINUTE }));
const FIRST = ['ann', 'bob', 'cid', 'dee', 'eve'];
/** Two of the first four alarms have died, those of cid and dee; dee's next is armed under the same tag. */
async function failedAlarms(store = new MemoryStore()): Promise<Pipeline> {
  const pipeline = new Pipeline(byUsers(FIRST), store);
  pipeline.codeWith = alarmsWith;
  await pipeline.fail({ timer: (key) => key === 'cid' || key === 'dee' }, 2, 2);
  pipeline.read(byUsers([...FIRST, 'dee']));
  return pipeline;
}

async function finished(run: PipelineRun): Promise<void> {
  await run.drain();
  expect((await run.finished).kind).toBe('drained');
}

test('T4, P8: a timer that died fires once more, with its hold, beside the one that has its tag by now', async () => {
  const pipeline = await failedAlarms();
  const run = pipeline.start({});
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBe(3);
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 2, refused: [] });
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBe(5);
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 0 });
  await finished(run);
  expect(pipeline.numbers).toEqual([0, 1, 2, 3, 4]);
  for (const row of pipeline.rows) expect(row.timestamp).toBe(START + row.n * MINUTE + MINUTE / 3);
  pipeline.read(byUsers([...FIRST, 'dee', 'zoe']));
  const next = pipeline.start({});
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBe(6);
  await finished(next);
  expect(pipeline.numbers).toEqual([0, 1, 2, 3, 4, 5]);
});

test('P8: a timer that dies again is the same letter again', async () => {
  const pipeline = await failedAlarms();
  const before = [...pipeline.store.letters.keys()].sort();
  const run = pipeline.start({ timer: (key) => key === 'dee' });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 2 });
  await pipeline.until(run, 3, 4);
  await finished(run);
  expect(before).toContain([...pipeline.store.letters.keys()][0]);
  expect(pipeline.store.letters.size).toBe(1);
});

for (const dies of ['before', 'after'] as const)
  test(`RV1: of a host that dies ${dies} the transaction each timer fires once`, async () => {
    const store = new DyingStore();
    const pipeline = await failedAlarms(store);
    const first = pipeline.start({});
    const died = new Promise<void>((resolve) => {
      store.dies = dies;
      store.die = resolve;
    });
    void pipeline.redrive(first);
    await died;
    const second = pipeline.start({});
    await pipeline.redrive(second);
    await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(5);
    await finished(second);
    expect(pipeline.numbers).toEqual([0, 1, 2, 3, 4]);
    expect(pipeline.store.letters.size).toBe(0);
  });

/** Its folds are carried out at once and answered when they may be. */
class LateAnswers extends MemoryStore {
  answer: Promise<void> | undefined;
  taken = 0;

  override async fold(...given: Parameters<MemoryStore['fold']>): ReturnType<MemoryStore['fold']> {
    const outcome = await super.fold(...given);
    if (given[1].deadLetters.length > 0) await this.answer;
    return outcome;
  }

  override redrive(redrive: Redrive): Promise<RedriveOutcome> {
    this.taken++;
    return super.redrive(redrive);
  }
}

test('RV2: a letter is taken only once the fold that recorded it was answered', async () => {
  const store = new LateAnswers();
  const pipeline = new Pipeline(eventsOf(9), store);
  const run = pipeline.start({ handler: everyThird });
  let answer: () => void = () => undefined;
  store.answer = new Promise((resolve) => {
    answer = resolve;
  });
  await expect.poll(() => store.letters.size, { timeout: 15_000 }).toBe(3);
  const redriven = pipeline.redrive(run);
  // Whoever does not wait has taken them by now: nothing of it waits for anything but promises.
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
  expect(store.taken).toBe(0);
  answer();
  expect(await redriven).toMatchObject({ redriven: 3 });
  expect(store.taken).toBe(1);
  run.abort();
  await run.finished;
});

async function redriveWithDeath(dies: 'before' | 'after' | 'split'): Promise<Pipeline> {
  const store = new DyingStore();
  const pipeline = new Pipeline(eventsOf(30), store);
  await pipeline.fail({ handler: everyThird }, 10, 20);
  const first = pipeline.start({});
  const died = new Promise<void>((resolve) => {
    store.dies = dies;
    store.die = resolve;
  });
  void pipeline.redrive(first);
  await died;
  // Whoever lives on after this is fenced: the next start claims.
  const second = pipeline.start({});
  await expect.poll(() => second.progress() !== undefined, { timeout: 5_000 }).toBe(true);
  await pipeline.redrive(second);
  await expect.poll(() => pipeline.rows.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(30);
  await second.drain();
  expect((await second.finished).kind).toBe('drained');
  return pipeline;
}

for (const dies of ['before', 'after'] as const)
  test(`RV1: a host that dies ${dies} the transaction of a redrive neither loses nor doubles a record`, async () => {
    const pipeline = await redriveWithDeath(dies);
    expect(pipeline.numbers).toEqual(eventsOf(30).map(({ n }) => n));
    expect(pipeline.store.letters.size).toBe(0);
  });

test('negative control of RV1: letters that go in a transaction of their own are delivered twice', async () => {
  const pipeline = await redriveWithDeath('split');
  expect(pipeline.rows.length).toBe(40);
});
