/**
 * What `pattern` knows of the records of one key: partial matches, moved on by one record after the other.
 * Pure; `where` alone is the user's.
 *
 * A partial match (run) has taken some records, the last of them for its step `step`. The next record
 *   - may be taken for the same step, where that takes several: a new run, the old one then takes none any more
 *     for this step (with `followedByAny` it may still take another one instead);
 *   - may be taken for the following step: a new run; the old one then waits for no other first record of that
 *     step (with `followedByAny` it does);
 *   - may be passed over, unless `next` asks for it: a run that neither step may take a record for any more ends.
 *
 * Of the matches that one record completes, those come first that began first, then those whose early steps took
 * more, then those that took earlier records.
 */

export type After = 'next' | 'followedBy' | 'followedByAny';

export interface Step {
  readonly name: string;
  readonly after: After;
  readonly oneOrMore: boolean;
  readonly where: (value: unknown, matched: Matched) => unknown;
}

/** What each step has taken, in the order of the steps. */
export type Matched = Readonly<Record<string, readonly unknown[]>>;

/** One record that was taken: for which step, its number among the records of the key, its value. */
export type Taken = readonly [step: number, record: number, value: unknown];

export interface Run {
  /** Time of the first record. */
  readonly begun: number;
  readonly taken: readonly Taken[];
  /** May take another record for its step. */
  readonly loops: boolean;
  /** May take a record for the following step. */
  readonly proceeds: boolean;
}

export interface Arrival {
  readonly record: number;
  readonly time: number;
  readonly value: unknown;
}

export interface Advance {
  readonly runs: readonly Run[];
  /** Matches that this record completed. */
  readonly complete: readonly Run[];
}

export function advanceRuns(steps: readonly Step[], runs: readonly Run[], arrival: Arrival): Advance {
  const next: Run[] = [];
  const complete: Run[] = [];
  const took = (run: Run): void => {
    next.push(run);
    if (stepOf(run) === steps.length - 1) complete.push(run);
  };
  for (const run of runs) {
    const { loop, proceed } = choicesOf(steps, run, arrival.value);
    if (loop) took(extend(steps, run, stepOf(run), arrival));
    if (proceed) took(extend(steps, run, stepOf(run) + 1, arrival));
    next.push(passedOver(steps, run, { loop, proceed }));
  }
  if (holds(steps, 0, arrival.value, [])) {
    took(extend(steps, { begun: arrival.time, taken: [], loops: false, proceeds: true }, 0, arrival));
  }
  return { runs: next.filter(({ loops, proceeds }) => loops || proceeds), complete: complete.sort(byRank) };
}

export function matchedOf(steps: readonly Step[], taken: readonly Taken[]): Record<string, unknown[]> {
  const matched: Record<string, unknown[]> = {};
  for (const { name } of steps) matched[name] = [];
  for (const [step, , value] of taken) matched[steps[step]?.name ?? '']?.push(value);
  return matched;
}

export const stepOf = ({ taken }: Pick<Run, 'taken'>): number => taken.at(-1)?.[0] ?? -1;

interface Choices {
  readonly loop: boolean;
  readonly proceed: boolean;
}

function choicesOf(steps: readonly Step[], run: Run, value: unknown): Choices {
  const step = stepOf(run);
  return {
    loop: run.loops && holds(steps, step, value, run.taken),
    proceed: run.proceeds && holds(steps, step + 1, value, run.taken),
  };
}

function holds(steps: readonly Step[], index: number, value: unknown, taken: readonly Taken[]): boolean {
  const step = steps[index];
  if (step === undefined) return false;
  const held = step.where(value, matchedOf(steps, taken));
  if (typeof held === 'boolean') return held;
  throw new TypeError(
    `The condition of the step ${JSON.stringify(step.name)} gave a value of type ${typeof held}; it must give true or false.`,
  );
}

function extend(steps: readonly Step[], run: Run, step: number, { record, value }: Arrival): Run {
  return {
    begun: run.begun,
    taken: [...run.taken, [step, record, value]],
    loops: steps[step]?.oneOrMore === true,
    proceeds: step + 1 < steps.length,
  };
}

/** The run as it goes on without this record. */
function passedOver(steps: readonly Step[], run: Run, { loop, proceed }: Choices): Run {
  const step = stepOf(run);
  return {
    ...run,
    loops: run.loops && stillTakes(steps[step]?.after, loop),
    proceeds: run.proceeds && stillTakes(steps[step + 1]?.after, proceed),
  };
}

function stillTakes(after: After | undefined, couldTake: boolean): boolean {
  return after === 'followedByAny' || (after === 'followedBy' && !couldTake);
}

function byRank(one: Run, other: Run): number {
  const begin = (one.taken[0]?.[1] ?? 0) - (other.taken[0]?.[1] ?? 0);
  if (begin !== 0) return begin;
  for (const [i, [step, record]] of one.taken.entries()) {
    const [otherStep = 0, otherRecord = 0] = other.taken[i] ?? [];
    if (step !== otherStep) return step - otherStep;
    if (record !== otherRecord) return record - otherRecord;
  }
  return 0;
}
