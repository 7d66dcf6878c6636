/**
 * W1, P3: a record that has to wait (its call failed, its key was not loaded) came in front of the watermarks that pass
 * meanwhile. Whatever waits when, every operator makes the same of records that are on time.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aggregate,
  type Computation,
  count,
  deduplicate,
  hopping,
  input,
  intervalJoin,
  lookup,
  pattern,
  reduceByWindow,
  runningReduce,
  save,
  sessions,
  sortByTime,
  sum,
  table,
  track,
  tumbling,
  windowJoin,
} from '../src/index.ts';
import { ComputationRuntime } from '../src/runtime/computation-runtime.ts';
import { DeliveredRecord } from '../src/runtime/delivered-record.ts';
import { deriveId } from '../src/testing/derive-id.ts';

interface Row {
  readonly n: number;
}
const row = input<Row>();
const figures = { n: count(), sum: sum((value: Row) => value.n) };
const plus = (a: Row, b: Row): Row => ({ n: a.n + b.n });
const both = ['left', 'right'];
const VERSION_MS = 20;
/** From then on a version stands; it is read later, and its rows may have to wait, too (TR2). */
const READ_AFTER_MS = 7;

type Operator = readonly [name: string, make: () => Computation<never, object>, ports?: readonly string[]];
const operators: readonly Operator[] = [
  ['tumbling windows', () => aggregate(row, { window: tumbling(10), aggregates: figures }) as never],
  [
    'hopping windows that take late records',
    () => aggregate(row, { window: hopping(20, 5), aggregates: figures, allowedLateness: 7 }) as never,
  ],
  ['sessions', () => aggregate(row, { window: sessions(6), aggregates: figures }) as never],
  [
    'windows that show each record',
    () =>
      aggregate(row, {
        window: tumbling(10),
        aggregates: figures,
        trigger: { early: { type: 'records', every: 1 } },
      }) as never,
  ],
  [
    'reduceByWindow',
    () =>
      reduceByWindow(row, {
        reduce: plus,
        inverse: (a, b) => ({ n: a.n - b.n }),
        size: 20,
        slide: 5,
      }) as never,
  ],
  ['runningReduce', () => runningReduce(row, { reduce: plus }) as never],
  ['save', () => save(row, { every: 10 }) as never],
  ['windowJoin', () => windowJoin(row, row, { window: tumbling(10), kind: 'full' }) as never, both],
  [
    'windowJoin over sessions',
    () => windowJoin(row, row, { window: sessions(6), kind: 'left' }) as never,
    both,
  ],
  ['intervalJoin', () => intervalJoin(row, row, { lower: -4, upper: 9 }) as never, both],
  ['lookup', () => lookup(row, row, { kind: 'left' }) as never, both],
  ['deduplicate', () => deduplicate(row, { by: ({ n }) => n % 3, within: 8 }) as never],
  ['sortByTime', () => sortByTime(row, { by: ({ n }) => n }) as never],
  [
    'track',
    () =>
      track(row, {
        init: (value) => value,
        update: (state, value) => (value.n % 7 === 0 ? null : plus(state, value)),
        timeout: 8,
      }) as never,
  ],
  ['table', () => table(row, { deletes: ({ n }) => n % 5 === 0 }) as never],
  [
    'pattern',
    () =>
      pattern(row, {
        within: 15,
        steps: [
          { name: 'a', where: ({ n }: Row) => n % 2 === 0, oneOrMore: true },
          { name: 'b', where: ({ n }: Row) => n % 2 === 1, after: 'next' },
        ],
      }) as never,
  ],
];

interface Step {
  /** Above the watermark, so that it is on time. */
  readonly ahead: number;
  readonly key: string;
  readonly side: number;
  /** How often its call fails. */
  readonly fails: number;
  readonly advance: number;
  readonly wakes: boolean;
}
const steps = fc.array(
  fc.record({
    ahead: fc.integer({ min: 0, max: 25 }),
    key: fc.constantFrom('a', 'b'),
    side: fc.nat({ max: 2 }),
    fails: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
    advance: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 15 })),
    wakes: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

class Run {
  readonly said: string[] = [];
  readonly #runtime: ComputationRuntime;
  readonly #failing = new Map<string, number>();
  readonly #fails: boolean;
  #now = 0;
  #records = 0;

  constructor(computation: Computation<never, object>, fails: boolean) {
    this.#fails = fails;
    const { processRecord, ...rest } = computation.handlers;
    const handlers = {
      ...rest,
      processRecord: (record: { readonly id: string }, ctx: never) => {
        const left = this.#failing.get(record.id) ?? 0;
        this.#failing.set(record.id, left - 1);
        if (left > 0) throw new Error('not yet');
        processRecord(record as never, ctx);
      },
    };
    this.#runtime = new ComputationRuntime(
      { ...computation, handlers } as unknown as Computation,
      {
        now: () => this.#now,
        deriveId,
        prepare: () => undefined,
        emit: ({ key, port, value, timestamp }) =>
          this.said.push(`${port} ${key} ${JSON.stringify(value)} ${timestamp}`),
        deadLetter: ({ error }) => this.said.push(`dead letter: ${error}`),
        log: () => undefined,
        count: () => undefined,
        wake: () => undefined,
        beforeCall: () => undefined,
        afterFailure: () => undefined,
      },
      { computationId: 'n_a', params: {}, storeIsEmpty: true, maxTries: 9, backoffMs: 10 },
    );
  }

  deliver(stream: string, key: string, value: Row, at: number, fails: number, pane?: object): void {
    const id = `r${this.#records++}`;
    if (this.#fails) this.#failing.set(id, fails);
    this.#runtime.deliver(
      new DeliveredRecord(key, value, at, stream, pane as never, undefined, id, undefined, 0),
    );
  }

  advance(watermark: number): void {
    this.#runtime.advance(watermark);
  }

  wake(): void {
    this.#now += 1_000;
    this.#runtime.runWaiting();
    this.#runtime.fireDue();
  }
}

/** `rows`: the right side is a table, one row a key that changes with every version. */
function played(run: Run, given: readonly Step[], ports: readonly string[], rows: boolean): string[] {
  let [watermark, version] = [0, 0];
  const read = (): void => {
    for (const key of ['a', 'b'])
      run.deliver('right', key, { n: version }, version * VERSION_MS + READ_AFTER_MS, version % 3, {
        ...{ start: version * VERSION_MS, end: (version + 1) * VERSION_MS },
        ...{ index: 0, timing: 'on-time', last: true },
      });
    version += 1;
  };
  if (rows) read();
  for (const [n, { ahead, key, side, fails, advance, wakes }] of given.entries()) {
    const port = rows ? 'left' : (ports[side % ports.length] ?? 'in');
    run.deliver(port, key, { n }, watermark + ahead, fails);
    watermark += advance;
    while (rows && watermark >= version * VERSION_MS) read();
    run.advance(watermark);
    if (wakes) run.wake();
  }
  for (let i = 0; i < 200; i += 1) run.wake();
  while (rows && version < 40) read();
  run.advance(Number.POSITIVE_INFINITY);
  for (let i = 0; i < 10; i += 1) run.wake();
  return run.said.toSorted();
}

describe('records that have to wait while the watermark goes on', () => {
  it.each(operators.map((each) => ({ of: each[0], operator: each })))(
    'W1: $of make the same of them',
    ({ operator }) => {
      const [name, make, ports = ['in']] = operator;
      fc.assert(
        fc.property(steps, (given) => {
          const [without, held] = [false, true].map((fails) =>
            played(new Run(make(), fails), given, ports, name === 'lookup'),
          );
          expect(held).toEqual(without);
          // A row of a table that is older than the one it has is told as late, whenever it came.
          expect(held?.join()).not.toMatch(name === 'table' ? /dead letter/ : /dead letter|late/);
        }),
        { numRuns: 100 },
      );
    },
  );
});
