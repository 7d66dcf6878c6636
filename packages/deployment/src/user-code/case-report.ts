/** What a traced case says of itself on its way from the worker: bounded, values as JSON text. */
import type { CaseDifference, CaseEvent, KeyChange, StepTrace } from '@millrace/sdk/testing';
import { LONGEST_REPORT } from './messages.ts';

export interface SpelledDifference {
  readonly kind: CaseDifference['kind'];
  readonly step?: number;
  readonly stream?: string;
  readonly key?: string;
  /** JSON texts: of an expected or produced record, or of a state. */
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
}

export interface CaseReport {
  readonly passed: boolean;
  readonly differences: readonly SpelledDifference[];
  readonly steps: readonly StepTrace[];
  /** Something was left out: there was too much of it. */
  readonly cut: boolean;
}

const LONGEST_VALUE = 20_000;
const MOST_EVENTS = 300;
const MOST_KEYS = 50;
const MOST_DIFFERENCES = 100;
/** The rest of what a report may be long is for differences and for escapes. */
const FOR_STEPS = LONGEST_REPORT / 4;

export function spellDifference({ expected, actual, ...rest }: CaseDifference): SpelledDifference {
  return {
    ...rest,
    ...(expected !== undefined && { expected: exactText(expected) }),
    ...(actual !== undefined && { actual: exactText(actual) }),
  };
}

/** Bigints as digits. */
export function exactText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${exactText(each)}`).join(',')}}`;
}

/** As JSON, within `LONGEST_REPORT`: long values lose their end, then steps what they did. */
export function reportText(report: CaseReport): string {
  let cut = false;
  const short = <T>(items: readonly T[], most: number): readonly T[] => {
    if (items.length > most) cut = true;
    return items.slice(0, most);
  };
  const shortly = (_name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length <= LONGEST_VALUE) return value;
    cut = true;
    return `${value.slice(0, LONGEST_VALUE)}…`;
  };
  let left = FOR_STEPS;
  const within = (text: string): boolean => {
    left -= text.length;
    if (left < 0) cut = true;
    return left >= 0;
  };
  const steps = report.steps.map(({ events, keys, ms }) => {
    const step: { events: readonly CaseEvent[]; keys: readonly KeyChange[]; ms: number } = {
      events: short(events, MOST_EVENTS),
      keys: short(keys, MOST_KEYS),
      ms,
    };
    const text = JSON.stringify(step, shortly);
    return within(text) ? text : JSON.stringify({ events: [], keys: [], ms });
  });
  left = FOR_STEPS;
  const differences = short(report.differences, MOST_DIFFERENCES)
    .map((difference) => JSON.stringify(difference, shortly))
    .filter(within);
  return `{"passed":${report.passed},"cut":${cut || report.cut},"steps":[${steps.join(',')}],"differences":[${differences.join(',')}]}`;
}
