/**
 * `pattern`: records of one key that follow each other as its steps say, within a time (complex event processing).
 *
 * Records are taken in the order of their event times, when the watermark has passed them; those of one time in the
 * order in which they came. What is a match: `pattern-match.ts`.
 *
 * Owns: map `records` (time → values that are not taken yet), the state (partial matches), a timer for each time
 * (`t<time>`) and one for each end of a partial match (`e<time>`).
 *
 * Invariants
 *   PT1  a match comes out at the time of its last record, which is before `begun + within`.
 *   PT2  a partial match that has not become one comes out at `timeout` when `begun + within` has passed, once.
 *   PT3  nothing is kept of a key longer than `within` after its last record.
 */
import {
  type Computation,
  type Context,
  computation,
  type DeepReadonly,
  type Duration,
  type EventTime,
} from '../api.ts';
import { positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { type After, advanceRuns, matchedOf, type Run, type Step, stepOf } from './pattern-match.ts';
import { type Skip, skippedBefore, stepsOf } from './pattern-settings.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

/** The records that each step took, by its name. */
export type Match<T, N extends string> = { readonly [S in N]: readonly T[] };

export interface PatternStep<T, N extends string> {
  readonly name: N;
  /** Whether a record can be this step's; `matched` has what the match has taken so far. */
  readonly where: (value: DeepReadonly<T>, matched: Match<DeepReadonly<T>, string>) => boolean;
  /**
   * How its first record comes after the last one of the step before. `next`: it is the very next one. `followedBy`
   * (default): it is the first one that can be this step's, whatever lies between. `followedByAny`: it is any one.
   */
  readonly after?: After | undefined;
  /** The step takes one record or several, each after the one before as `after` says. */
  readonly oneOrMore?: boolean | undefined;
}

export interface PatternOptions<T, N extends string, O> {
  readonly steps: readonly PatternStep<T, N>[];
  /** All records of a match lie in a span shorter than this. */
  readonly within: Duration;
  /**
   * What a match leaves for others. `pastLast` (default): matches begin behind its last record, so none overlap.
   * `toNext`: they begin behind its first record. `toFirst`, `toLast`: at the first or last record of a step.
   * `none`: everything.
   */
  readonly skip?: Skip<NoInfer<N>> | undefined;
  /** What a match becomes; default the records themselves, by step. */
  readonly select?: ((matched: Match<DeepReadonly<T>, N>) => O) | undefined;
}

export interface PatternOutputs<T, N extends string, O> {
  out: O;
  /** What had begun and was not completed in time. */
  timeout: Match<T, N>;
  late: T;
}

const OPTIONS = ['steps', 'within', 'skip', 'select'];
/** Beyond it a pattern of a few records would hold more than a worker can. */
const MAX_RUNS = 10_000;

interface Matching {
  /** Number of the next record of the key. */
  readonly next: number;
  /** A match that begins before this record is not wanted any more. */
  readonly from: number;
  readonly runs: readonly Run[];
}
interface Extras {
  maps: { readonly records: readonly unknown[] };
  timers: string;
}
type PatternContext = Context<PatternOutputs<unknown, string, unknown>, Matching, Extras>;

export function pattern<T, N extends string, O = Match<T, N>>(
  _input: Input<T>,
  options: PatternOptions<T, N, O>,
): Computation<AnyStream<T>, PatternOutputs<T, N, O>> {
  refuseUnknownOptions(options, OPTIONS, 'pattern');
  const steps = stepsOf(options.steps);
  const { skip = 'pastLast', select = (matched) => matched as O } = options;
  requireFunction(select, 'The function select of pattern');
  const settings: Settings = {
    steps,
    withinMs: positiveMs(options.within, 'within'),
    from: skippedBefore(skip, steps),
    select: select as Settings['select'],
  };
  return {
    ...computation<AnyStream<T>, PatternOutputs<T, N, O>, Matching, Extras>({
      processRecord({ late, timestamp, value, pane }, ctx) {
        refuseRetracted({ pane }, 'pattern');
        if (late) {
          dropLate(ctx as never, { value, pane } as never);
          return;
        }
        const records = ctx.map('records');
        records.set(timestamp, [...(records.get(timestamp) ?? []), value]);
        ctx.setTimer(`t${timestamp}`, timestamp + 1, { hold: timestamp });
      },
      processTimer({ tag }, ctx) {
        const time = Number(tag.slice(1));
        if (tag.startsWith('t')) takeRecords(time, ctx as never, settings);
        else endRuns(time, ctx as never, settings);
      },
    }),
    stateShape: JSON.stringify({ operator: 'pattern', steps: steps.map(({ name }) => name) }),
  };
}

interface Settings {
  readonly steps: readonly Step[];
  readonly withinMs: number;
  /** Where a match that was given lets others begin. */
  readonly from: (match: Run) => number;
  readonly select: (matched: unknown) => unknown;
}

const NOTHING: Matching = { next: 0, from: 0, runs: [] };

function takeRecords(time: EventTime, ctx: PatternContext, settings: Settings): void {
  const records = ctx.map('records');
  const values = records.get(time) ?? [];
  // Also what a failed call left: it is with the dead letters, and would fail every call from now on.
  records.deleteRange(undefined, time + 1);
  let matching = ended(ctx.state.get() ?? NOTHING, time, ctx, settings);
  for (const value of values) matching = takeRecord(matching, time, value, ctx, settings);
  store(matching, ctx);
}

function takeRecord(
  { next: record, from, runs }: Matching,
  time: EventTime,
  value: unknown,
  ctx: PatternContext,
  settings: Settings,
): Matching {
  const { steps, withinMs } = settings;
  const advance = advanceRuns(steps, runs, { record, time, value });
  let begin = from;
  for (const match of advance.complete) {
    if (firstOf(match) < begin) continue;
    ctx.produce('out', settings.select(matchedOf(steps, match.taken)), { timestamp: time });
    begin = Math.max(begin, settings.from(match));
  }
  const left = advance.runs.filter((run) => firstOf(run) >= begin);
  if (left.length > MAX_RUNS) {
    throw new RangeError(
      `pattern has ${left.length} partial matches of one key; make its steps or "within" narrower, or skip more.`,
    );
  }
  if (left.some((run) => firstOf(run) === record)) {
    const end = time + withinMs;
    // One later: at the end itself a record right before it may not have been taken yet.
    ctx.setTimer(`e${end}`, end + 1, { hold: end - 1 });
  }
  return { next: record + 1, from: begin, runs: left };
}

function endRuns(end: EventTime, ctx: PatternContext, settings: Settings): void {
  const matching = ctx.state.get();
  if (matching !== undefined) store(ended(matching, end, ctx, settings), ctx);
}

/** Without the runs that have no time left at `time`. */
function ended(matching: Matching, time: EventTime, ctx: PatternContext, settings: Settings): Matching {
  const { steps, withinMs } = settings;
  const isOver = ({ begun }: Run): boolean => begun + withinMs <= time;
  for (const run of matching.runs) {
    if (!isOver(run) || stepOf(run) === steps.length - 1) continue;
    ctx.produce('timeout', matchedOf(steps, run.taken), { timestamp: run.begun + withinMs - 1 });
  }
  return { ...matching, runs: matching.runs.filter((run) => !isOver(run)) };
}

function store(matching: Matching, ctx: PatternContext): void {
  // Without a run nothing refers to the numbers of records: they may begin anew.
  if (matching.runs.length === 0) ctx.state.clear();
  else ctx.state.set(matching);
}

const firstOf = ({ taken }: Run): number => taken[0]?.[1] ?? 0;
