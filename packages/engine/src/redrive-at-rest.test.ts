/** RV7: dead letters of a pipeline that is stopped, or whose input has ended. */
import type { RunPlan } from '@millrace/graph';
import { computation } from '@millrace/sdk';
import { expect, test } from 'vitest';
import type { LettersOnly, PipelineRun } from './host/run-options.ts';
import type { Connectors, Redrive, RedriveOutcome } from './ports.ts';
import { InProcessWorkers } from './testing/in-process-workers.ts';
import { MemoryConnectors } from './testing/memory-connectors.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { planOf } from './testing/plans.ts';
import { runInMemory } from './testing/run-in-memory.ts';

const COUNT = 30;
const START = 1_700_000_000_000;
const FAR = 4_000_000_000_000;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);
/** What the wall timer of a number writes. */
const LATER = 1_000;

const planWith = (config: Record<string, unknown> = {}): RunPlan =>
  planOf(
    [
      {
        id: 'n_in',
        kind: 'injector',
        config: { path: 'events', slack: '0s', futureBound: 'off', idleTimeout: 'off', ...config },
      },
      { id: 'n_tally', kind: 'computation' },
      { id: 'n_out', kind: 'sink' },
    ],
    [
      { from: 'n_in', to: 'n_tally', keyed: true },
      { from: 'n_tally', to: 'n_out' },
    ],
  );

const numberOf = (n: number | string): number => Number(String(n).replace('x', ''));

const codeThat = (fails: (n: number) => boolean) => ({
  nodes: {
    n_tally: computation<{ in: { n: number | string } }, { out: { n: number } }>({
      processRecord({ value }, ctx) {
        const n = numberOf(value.n);
        if (fails(n)) throw new Error(`cannot take ${n}`);
        ctx.setTimer(`later ${n}`, FAR + n, { clock: 'wall' });
        ctx.produce('out', { n });
      },
      processTimer({ time }, ctx) {
        ctx.produce('out', { n: LATER + time - FAR });
      },
    }),
  },
  keyBy: { s_0: ({ n }: { n: number | string }) => String(numberOf(n) % 4) },
  timestamps: { n_in: ({ n }: { n: number | string }) => START + numberOf(n) },
  values: {},
});

const third = (n: number) => n % 3 === 0;

/** Dies when the letters' transaction is through, and before it hears so. */
class DyingStore extends MemoryStore {
  die: (() => void) | undefined;

  override async redrive(redrive: Redrive): Promise<RedriveOutcome> {
    const outcome = await super.redrive(redrive);
    if (this.die === undefined) return outcome;
    this.die();
    this.die = undefined;
    return new Promise(() => undefined);
  }
}

class Pipeline {
  readonly store = new DyingStore();
  readonly memory = new MemoryConnectors();
  plan = planWith();
  fails: (n: number) => boolean = third;
  sourceEnds = true;

  constructor(lines: readonly string[] = NUMBERS.map((n) => JSON.stringify({ n }))) {
    this.memory.sources.set('events', [`${lines.join('\n')}\n`]);
  }

  start(lettersOnly?: LettersOnly): PipelineRun {
    return runInMemory(this.plan, {
      store: this.store,
      launcher: new InProcessWorkers(codeThat(this.fails)),
      connectors: lettersOnly === undefined ? this.#connectors() : this.#unreachable(),
      workers: 2,
      lettersOnly,
    });
  }

  /** To its end, or until everything is read and it is stopped. */
  async fail(letters: number): Promise<void> {
    const run = this.start();
    const dead = () => run.progress()?.nodes.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
    if (!this.sourceEnds) {
      await expect.poll(dead).toBe(letters);
      await run.drain();
    }
    expect((await run.finished).kind).toBe(this.sourceEnds ? 'done' : 'drained');
    expect(this.store.letters.size).toBe(letters);
  }

  async redrive(run: PipelineRun) {
    await expect.poll(() => run.progress() !== undefined).toBe(true);
    return run.redrive({ group: '', above: 0, upTo: await this.store.newestLetter() });
  }

  get numbers(): number[] {
    const rows = this.memory.sinks.get('n_out')?.rows ?? [];
    return rows.map(({ value }) => (value as { n: number }).n).sort((a, b) => a - b);
  }

  #connectors(): Connectors {
    if (this.sourceEnds) return this.memory;
    const text = this.memory.sources.get('events')?.[0] ?? '';
    return {
      sink: () => this.memory.sink(),
      injector: () => ({
        open: async () => ({
          partitions: [
            {
              name: 'events-0',
              async *read(offset: number, signal: AbortSignal) {
                const bytes = new TextEncoder().encode(text);
                if (offset < bytes.length)
                  yield { kind: 'bytes' as const, offset, bytes: bytes.slice(offset) };
                await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
              },
            },
          ],
          close: async () => undefined,
        }),
      }),
    };
  }

  #unreachable(): Connectors {
    const open = () => Promise.reject(new Error('a source was opened for letters alone'));
    return { sink: () => this.memory.sink(), injector: () => ({ open }) };
  }
}

test('RV7: of a stopped pipeline letters are delivered without opening a source, and timers that were not due stay', async () => {
  const pipeline = new Pipeline();
  pipeline.sourceEnds = false;
  await pipeline.fail(10);
  pipeline.fails = () => false;
  const run = pipeline.start({ inputHasEnded: false });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 10, refused: [] });
  await run.drain();
  expect((await run.finished).kind).toBe('drained');
  expect(pipeline.numbers).toEqual(NUMBERS);
  expect(pipeline.store.letters.size).toBe(0);
});

test('RV7, W6: where all input has ended it ends again, wall timers of what was redriven included', async () => {
  const pipeline = new Pipeline();
  await pipeline.fail(10);
  pipeline.fails = () => false;
  const run = pipeline.start({ inputHasEnded: true });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 10 });
  await run.drain();
  expect((await run.finished).kind).toBe('done');
  expect(pipeline.numbers).toEqual([...NUMBERS, ...NUMBERS.map((n) => LATER + n)]);
});

test('RV7: does not end before it is told that no more letters come', async () => {
  const pipeline = new Pipeline();
  await pipeline.fail(10);
  pipeline.fails = () => false;
  const run = pipeline.start({ inputHasEnded: true });
  for (const number of [1, 2]) {
    await expect.poll(() => run.progress() !== undefined).toBe(true);
    expect(await run.redrive({ numbers: [number] })).toMatchObject({ redriven: 1 });
    await expect.poll(() => pipeline.numbers.filter((n) => n < LATER && third(n)).length).toBe(number);
  }
  await run.drain();
  expect((await run.finished).kind).toBe('done');
  expect(pipeline.store.letters.size).toBe(8);
});

test.each([true, false])(
  'RV1, RV7: of a host that dies behind the transaction the next finishes it (input ended: %s)',
  async (inputHasEnded) => {
    const pipeline = new Pipeline();
    pipeline.sourceEnds = inputHasEnded;
    await pipeline.fail(10);
    pipeline.fails = () => false;
    const first = pipeline.start({ inputHasEnded });
    const died = new Promise<void>((resolve) => {
      pipeline.store.die = resolve;
    });
    void pipeline.redrive(first);
    await died;
    expect(pipeline.store.letters.size).toBe(0);
    const second = pipeline.start({ inputHasEnded });
    expect(await pipeline.redrive(second)).toMatchObject({ redriven: 0 });
    await second.drain();
    expect((await second.finished).kind).toBe(inputHasEnded ? 'done' : 'drained');
    expect(pipeline.numbers.filter((n) => n < LATER)).toEqual(NUMBERS);
  },
);

test('RV7: a row of a CSV file is read by the header of its file, which is not opened', async () => {
  const lines = NUMBERS.map((n) => (third(n) ? `x${n},a` : `${n},a`));
  const pipeline = new Pipeline(['n,name', ...lines]);
  pipeline.fails = () => false;
  pipeline.plan = planWith({ format: 'csv', columns: { n: 'number' } });
  await pipeline.fail(10);
  pipeline.plan = planWith({ format: 'csv' });
  const run = pipeline.start({ inputHasEnded: true });
  expect(await pipeline.redrive(run)).toMatchObject({ redriven: 10, refused: [] });
  await run.drain();
  expect((await run.finished).kind).toBe('done');
  expect(pipeline.store.letters.size).toBe(0);
  expect(pipeline.numbers.filter((n) => n < LATER)).toEqual(NUMBERS);
});
