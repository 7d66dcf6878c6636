import type { Computation } from '../api.ts';
import { jsonForm, spellData } from '../same-data.ts';
import { type CaseEvent, CaseRecorder, type StepTrace } from './case-trace.ts';
import { compareOutputs, type ExpectedRecord } from './compare-outputs.ts';
import { Harness, type HarnessOptions } from './harness.ts';
import type { InputRecord, OutputRecord } from './instance.ts';
import { matches } from './matchers.ts';
import { type CaseStep, caseFaults, type RecordedCase } from './recorded-case.ts';

/** One thing that is not as the case says. All of it is JSON data, but for bigints beyond ±2^53. */
export interface CaseDifference {
  readonly kind: 'case' | 'error' | 'missing' | 'unexpected' | 'order' | 'late' | 'state';
  /** Index of the step at which it happened, where it belongs to one. */
  readonly step?: number;
  readonly stream?: string;
  readonly key?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly message: string;
}

export interface CaseResult {
  readonly passed: boolean;
  readonly differences: readonly CaseDifference[];
}

export interface TracedCase extends CaseResult {
  /** What each step did; behind one that failed there are no more. */
  readonly steps: readonly StepTrace[];
}

export interface TraceOptions extends Pick<HarnessOptions, 'params'> {
  /** What was printed since it was last asked. */
  readonly printed?: () => readonly CaseEvent[];
}

type AnyHarness = Harness<Record<string, unknown>, Record<string, unknown>>;

/**
 * Runs a recorded case. Never throws: a faulty case, an error of the computation and wrong results are all
 * differences. Values are compared in the form in which a JSON sink writes them.
 */
export async function runCase(
  computation: Computation | (() => Computation),
  recorded: RecordedCase,
  options: Pick<HarnessOptions, 'params' | 'isolated'> = {},
): Promise<CaseResult> {
  const faults = caseFaults(recorded);
  if (faults.length > 0) return faulty(faults);
  const subject = new Harness(computation, { ...options, onError: 'throw' }) as unknown as AnyHarness;
  return judge(subject, recorded);
}

/** `runCase`, and what each step did. */
export async function traceCase(
  computation: Computation | (() => Computation),
  recorded: RecordedCase,
  options: TraceOptions = {},
): Promise<TracedCase> {
  const faults = caseFaults(recorded);
  if (faults.length > 0) return { ...faulty(faults), steps: [] };
  const subject = new Harness(computation, { ...options, onError: 'throw' }) as unknown as AnyHarness;
  const recorder = new CaseRecorder(subject, options.printed);
  return { ...(await judge(subject, recorded, recorder)), steps: recorder.steps };
}

const faulty = (faults: readonly string[]): CaseResult => ({
  passed: false,
  differences: faults.map((message) => ({ kind: 'case', message })),
});

async function judge(
  subject: AnyHarness,
  recorded: RecordedCase,
  recorder?: CaseRecorder,
): Promise<CaseResult> {
  const failed = await runSteps(subject, recorded.steps, recorder);
  if (failed !== undefined) return { passed: false, differences: [failed] };
  const differences = [
    ...outputDifferences(subject, recorded),
    ...lateDifferences(subject, recorded),
    ...stateDifferences(subject, recorded),
  ];
  return { passed: differences.length === 0, differences };
}

async function runSteps(
  subject: AnyHarness,
  steps: readonly CaseStep[],
  recorder?: CaseRecorder,
): Promise<CaseDifference | undefined> {
  for (const [index, step] of steps.entries()) {
    recorder?.begin();
    try {
      await takeStep(subject, step).settled();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
      return { kind: 'error', step: index, message: `step ${index} (${spellData(step)}): ${text}` };
    } finally {
      recorder?.end();
    }
  }
  return undefined;
}

function recordOf({ pane, ...record }: Extract<CaseStep, { record: unknown }>['record']): InputRecord & {
  readonly stream: string;
} {
  if (pane === undefined) return record;
  return { ...record, pane: { index: 0, timing: 'on-time', last: true, ...pane } };
}

function takeStep(subject: AnyHarness, step: CaseStep): AnyHarness {
  if ('record' in step) return subject.record(recordOf(step.record));
  if ('watermark' in step) return subject.watermark(step.watermark);
  if ('wall' in step) return subject.wall(step.wall);
  return 'end' in step ? subject.end() : subject.restart();
}

function outputDifferences(subject: AnyHarness, recorded: RecordedCase): readonly CaseDifference[] {
  return Object.entries(recorded.expect).flatMap(([stream, expected]) =>
    compare(stream, expected, subject.outputs(stream)).map((each) => ({ ...each, stream })),
  );
}

function lateDifferences(subject: AnyHarness, recorded: RecordedCase): readonly CaseDifference[] {
  if (recorded.late === undefined) return [];
  const produced = subject.outputs('late');
  const late = produced.length > 0 ? produced : droppedRecords(subject);
  return compare('late', recorded.late, late).map((each) => ({ ...each, kind: 'late' as const }));
}

function droppedRecords(subject: AnyHarness): readonly OutputRecord[] {
  return subject.trace().flatMap((event) => {
    if (event.kind !== 'late') return [];
    const { key = '', value, timestamp } = event.record;
    return [{ key, value, timestamp }];
  });
}

function stateDifferences(subject: AnyHarness, recorded: RecordedCase): readonly CaseDifference[] {
  return Object.entries(recorded.state ?? {}).flatMap(([key, expected]) => {
    const gone = !subject.keys().includes(key);
    const state = gone ? null : subject.state(key);
    if (expected === null ? gone : matches(jsonForm(expected), jsonForm(state))) return [];
    const actual = jsonForm(state ?? null);
    const has = expected === null ? 'something is stored' : `the state is ${spellData(actual)}`;
    const message = `state of ${JSON.stringify(key)}: expected ${spellData(expected)}, but ${has}`;
    return [{ kind: 'state' as const, key, expected, actual, message }];
  });
}

function compare(
  stream: string,
  expected: readonly ExpectedRecord[],
  actual: readonly OutputRecord[],
): readonly CaseDifference[] {
  const wanted = expected.map((record) => ({ ...record, value: jsonForm(record.value) }));
  const found = actual.map((record) => ({ ...record, value: jsonForm(record.value) }));
  return compareOutputs(stream, wanted, found, matches);
}
