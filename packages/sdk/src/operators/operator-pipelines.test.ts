/**
 * The oracle of all windows and triggers: whatever operators, settings, arrival order (within lateness), wall clock
 * and watermarks are drawn, what stands at the end is what a plain batch computation says.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainStep, OperatorChain } from '../../test/operator-chain.ts';
import {
  type Accumulation,
  aggregate,
  type Computation,
  calendar,
  count,
  filter,
  flatMap,
  globalWindow,
  hopping,
  input,
  map,
  type Repeated,
  sessions,
  sum,
  type Trigger,
  tumbling,
  type Window,
} from '../index.ts';
import { slicesOf } from './windows/slices-of.ts';

interface Entry {
  readonly key: string;
  readonly value: number;
  readonly timestamp: number;
}

interface Stateless {
  readonly type: 'map' | 'filter' | 'flatMap';
  readonly by: number;
}

type Step =
  | Stateless
  | { readonly type: 'key' }
  | { readonly type: 'aggregate'; readonly window: Window; readonly trigger: Trigger | undefined };

const LATENESS = 40;
const total = (v: { total: number }): number => v.total;

const windows = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map((size) => tumbling(size)),
  fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), fc.integer({ min: -9, max: 9 }))
    .map(([size, slide, offset]) => hopping(size, Math.min(size, slide), { offset })),
  fc.constantFrom<Window>(globalWindow(), calendar('day', { zone: 'Asia/Kathmandu' }), hopping(40, 2)),
);
const leaf = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((every): Repeated => ({ type: 'records', every })),
  fc.constantFrom<Repeated>('3ms', '10ms'),
);
const repeated = fc.oneof(
  leaf,
  fc.record({
    type: fc.constantFrom('any' as const, 'all' as const, 'sequence' as const),
    of: fc.array(leaf, { minLength: 1, maxLength: 3 }),
  }),
);
const triggers = fc.option(
  fc.record({ early: fc.option(repeated, { nil: undefined }), onTime: fc.constantFrom('if-new', 'always') }),
  { nil: undefined },
) as fc.Arbitrary<Trigger | undefined>;
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('map', 'filter', 'flatMap'), by: fc.integer({ min: 1, max: 4 }) }),
  fc.constant({ type: 'key' as const }),
  fc.record({ type: fc.constant('aggregate' as const), window: windows, trigger: triggers }),
) as fc.Arbitrary<Step>;

/** Few windows a record: what each step makes is multiplied by the next one. */
const pipelines = fc
  .array(steps, { minLength: 1, maxLength: 4 })
  .filter((drawn) => drawn.reduce((factor, step) => factor * factorOf(step), 1) <= 20);

const entries = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    value: fc.integer({ min: -20, max: 20 }),
    timestamp: fc.integer({ min: -60, max: 120 }),
  }),
  { maxLength: 30 },
);
/** What happens before each record: the wall clock goes on, and the watermark up to where nothing is dropped. */
const ticks = fc.array(
  fc.record({ wall: fc.integer({ min: 0, max: 12 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    minLength: 31,
    maxLength: 31,
  },
);

function factorOf(step: Step): number {
  if (step.type === 'flatMap') return 2;
  if (step.type !== 'aggregate' || !('sizeMs' in step.window)) return 1;
  return Math.ceil(step.window.sizeMs / step.window.slideMs);
}

function chainOf(drawn: readonly Step[], accumulation: Accumulation): ChainStep[] {
  let aggregated = false;
  return drawn.flatMap((step): ChainStep[] => {
    switch (step.type) {
      case 'key':
        return [{ computation: map(input<number>(), (v) => v) as Computation, keyBy: () => 'all' }];
      case 'aggregate': {
        const computation = operator(step, accumulation, aggregated);
        aggregated = true;
        return [{ computation }, { computation: map(input<{ total: number }>(), total) as Computation }];
      }
      default:
        return [{ computation: stateless(step) }];
    }
  });
}

function stateless({ type, by }: Stateless): Computation {
  const each = input<number>();
  if (type === 'map') return map(each, (v) => v + by) as Computation;
  if (type === 'filter') return filter(each, (v) => Math.abs(v) % (by + 1) !== 0) as Computation;
  return flatMap(each, (v) => [v, v * by]) as Computation;
}

function operator(
  { window, trigger }: { readonly window: Window; readonly trigger: Trigger | undefined },
  accumulation: Accumulation,
  retractions: boolean,
): Computation {
  return aggregate(input<number>(), {
    window,
    aggregates: { n: count(), total: sum((v) => v) },
    allowedLateness: LATENESS,
    ...(trigger && { trigger }),
    accumulation,
    retractions,
  }) as Computation;
}

function batch(drawn: readonly Step[], given: readonly Entry[]): readonly Entry[] {
  return drawn.reduce<readonly Entry[]>((all, step): readonly Entry[] => {
    if (step.type === 'key') return all.map((each) => ({ ...each, key: 'all' }));
    if (step.type === 'map') return all.map((each) => ({ ...each, value: each.value + step.by }));
    if (step.type === 'filter') return all.filter(({ value }) => Math.abs(value) % (step.by + 1) !== 0);
    if (step.type === 'flatMap')
      return all.flatMap((each) => [each, { ...each, value: each.value * step.by }]);
    return step.type === 'aggregate' ? batchWindows(step.window, all) : all;
  }, given);
}

function batchWindows(window: Window, all: readonly Entry[]): readonly Entry[] {
  const sums = new Map<string, Entry>();
  for (const { key, value, timestamp } of all) {
    for (const end of endsOf(window, timestamp)) {
      const name = `${key} ${end}`;
      sums.set(name, { key, timestamp: end - 1, value: (sums.get(name)?.value ?? 0) + value });
    }
  }
  return [...sums.values()];
}

function endsOf(window: Window, time: number): number[] {
  if (window.type === 'global') return [8_640_000_000_000_000];
  if (window.type === 'calendar') {
    const slices = slicesOf(window);
    return [slices.firstEnd(slices.sliceOf(time) as number)];
  }
  if (window.type === 'session') throw new Error('sessions are drawn apart');
  const { sizeMs, slideMs, offsetMs } = window;
  const ends: number[] = [];
  for (
    let start = Math.floor((time - offsetMs) / slideMs) * slideMs + offsetMs;
    start + sizeMs > time;
    start -= slideMs
  )
    ends.push(start + sizeMs);
  return ends;
}

/** The least time that is still to come bounds the watermark, so that nothing is past its lateness. */
function play(
  chain: OperatorChain,
  given: readonly Entry[],
  moves: readonly { wall: number; share: number }[],
): void {
  let [wall, watermark] = [0, -100];
  for (const [i, record] of given.entries()) {
    const { wall: gap, share } = moves[i]!;
    wall += gap;
    chain.wall(wall);
    const bound = Math.min(...given.slice(i).map(({ timestamp }) => timestamp)) + LATENESS;
    watermark = Math.max(watermark, Math.floor(watermark + (bound - watermark) * share));
    chain.watermark(watermark);
    chain.record(record);
  }
  chain.wall(wall + 1000);
  chain.end();
}

/** What stands: panes that were taken back do not, nor those that a later one of their window replaced. */
function standing(chain: OperatorChain, replaces: boolean): Entry[] {
  const found = new Map<string, Entry[]>();
  for (const { key, value, timestamp, pane } of chain.outputs) {
    const name = pane === undefined ? '' : `${key} ${pane.start} ${pane.end}`;
    const entry = { key, value: value as number, timestamp };
    const before = found.get(name) ?? [];
    if (pane?.retracts) {
      const at = before.findIndex((each) => each.value === entry.value);
      expect(at).toBeGreaterThanOrEqual(0);
      found.set(
        name,
        before.filter((_, i) => i !== at),
      );
    } else {
      found.set(name, pane === undefined || !replaces ? [...before, entry] : [entry]);
    }
  }
  return [...found.values()].flat();
}

const spelled = (all: readonly Entry[]): string[] =>
  all.map(({ key, value, timestamp }) => `${key} ${timestamp} ${value + 0}`).sort();

describe('pipelines of operators', () => {
  it('F1–F4: what stands behind chained, retracting windows with any triggers equals batch, and nothing is stored any more', () => {
    fc.assert(
      fc.property(pipelines, entries, ticks, (drawn, given, moves) => {
        const chain = new OperatorChain(chainOf(drawn, 'accumulating-and-retracting'));
        play(chain, given, moves);
        expect(chain.late()).toBe(0);
        expect(chain.keys()).toEqual([]);
        expect(spelled(standing(chain, false))).toEqual(spelled(batch(drawn, given)));
      }),
      { numRuns: 150 },
    );
  });

  it('F2, F3: the last pane of every window that accumulates, and the sum of those that discard, equal batch', () => {
    const specs = fc.tuple(windows, triggers, fc.constantFrom<Accumulation>('accumulating', 'discarding'));
    fc.assert(
      fc.property(specs, entries, ticks, ([window, trigger, accumulation], given, moves) => {
        const discards = accumulation === 'discarding';
        const own = discards && trigger !== undefined ? { ...trigger, onTime: undefined } : trigger;
        const step = { type: 'aggregate', window, trigger: own } as const;
        const chain = new OperatorChain(chainOf([step], accumulation));
        play(chain, given, moves);
        const found = standing(chain, !discards);
        const sums = batchWindows(
          tumbling(1),
          found.map((each) => ({ ...each, value: each.value })),
        );
        expect(spelled(discards ? sums : found)).toEqual(spelled(batch([step], given)));
        expect(chain.keys()).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('F1–F3: sessions with any triggers are those of batch, whatever came first', () => {
    const specs = fc.tuple(
      triggers,
      fc.constantFrom<Accumulation>('accumulating', 'accumulating-and-retracting'),
    );
    fc.assert(
      fc.property(specs, entries, ticks, ([trigger, accumulation], given, moves) => {
        const window = sessions(8);
        const retracts = accumulation === 'accumulating-and-retracting';
        const chain = new OperatorChain(chainOf([{ type: 'aggregate', window, trigger }], accumulation));
        play(chain, given, moves);
        expect(chain.keys()).toEqual([]);
        const expected = spelled(batchSessions(8, given));
        const found = standing(chain, !retracts);
        if (retracts) expect(spelled(found)).toEqual(expected);
        else expect(spelled(found)).toEqual(expect.arrayContaining(expected));
      }),
      { numRuns: 150 },
    );
  });

  it('Y2: a trigger may come, change and go while windows are open; their content and their end stay right', () => {
    const chosen = fc.array(triggers, { minLength: 31, maxLength: 31 });
    const some = fc.oneof(windows, fc.constant<Window>(hopping(40, 2)), fc.constant<Window>(sessions(8)));
    fc.assert(
      fc.property(some, chosen, entries, ticks, (window, triggersInTurn, given, moves) => {
        let trigger: Trigger | undefined;
        const make = () => operator({ window, trigger }, 'accumulating', false);
        const shape = make().stateShape;
        const chain = new OperatorChain([
          {
            computation: () => {
              expect(make().stateShape).toBe(shape);
              return make();
            },
          },
        ]);
        play(
          chain,
          given,
          moves.map((move, i) => ({
            ...move,
            get wall() {
              trigger = triggersInTurn[i];
              chain.restart();
              return move.wall;
            },
          })),
        );
        expect(chain.keys()).toEqual([]);
        const found = new Map(
          chain.outputs.map(({ key, value, timestamp, pane }) => [
            `${key} ${pane!.start} ${pane!.end}`,
            { key, value: total(value as { total: number }), timestamp },
          ]),
        );
        const batched = window.type === 'session' ? batchSessions(8, given) : batchWindows(window, given);
        expect(spelled([...found.values()])).toEqual(expect.arrayContaining(spelled(batched)));
      }),
      { numRuns: 150 },
    );
  });
});

function batchSessions(gap: number, given: readonly Entry[]): Entry[] {
  const found: { key: string; start: number; end: number; value: number }[] = [];
  for (const { key, timestamp, value } of [...given].sort((a, b) => a.timestamp - b.timestamp)) {
    const open = found.find((each) => each.key === key && each.end > timestamp);
    if (open === undefined) found.push({ key, start: timestamp, end: timestamp + gap, value });
    else Object.assign(open, { end: timestamp + gap, value: open.value + value });
  }
  return found.map(({ key, end, value }) => ({ key, timestamp: end - 1, value }));
}
