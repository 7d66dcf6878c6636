/**
 * Recorded cases (`tests/<name>.json`): input with watermark steps and the output it must give. Values and states that are
 * expected may hold matchers (`matchers.ts`).
 */

import type { Pane } from '../api.ts';
import type { ExpectedRecord } from './compare-outputs.ts';
import { matcherFaults } from './matchers.ts';

export type CaseStep =
  | {
      readonly record: {
        readonly stream: string;
        readonly key?: string;
        readonly value: unknown;
        readonly timestamp: number;
        /** Of which pane it is, or of a table's row: from when to when it stands. What is not given is that of a whole. */
        readonly pane?: Pick<Pane, 'start' | 'end'> & Partial<Pane>;
      };
    }
  | { readonly watermark: number }
  | { readonly wall: number }
  | { readonly restart: true }
  | { readonly end: true };

export interface RecordedCase {
  readonly format: 1;
  /** Id of the node it belongs to; the runner of a folder needs it. */
  readonly node?: string;
  readonly steps: readonly CaseStep[];
  /** Everything each stream must produce; a stream that is not named is not compared. */
  readonly expect: Readonly<Record<string, readonly ExpectedRecord[]>>;
  /** Records dropped as late: what went to the output `late`, or were dropped with `ctx.dropLate()`. */
  readonly late?: readonly ExpectedRecord[];
  /** Key → its `ctx.state` at the end; `null`: nothing at all is stored of the key. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** What is wrong with a case as read from a file; empty when it may be run. */
export function caseFaults(given: unknown): readonly string[] {
  if (!isRecord(given)) return ['a recorded case is a JSON object'];
  const faults: string[] = [];
  if (given.format !== 1) {
    faults.push(`format is ${JSON.stringify(given.format) ?? 'missing'}; this version reads format 1`);
  }
  if (given.node !== undefined && typeof given.node !== 'string')
    faults.push('node must be the id of a node');
  if (Array.isArray(given.steps)) faults.push(...given.steps.flatMap(stepFaults));
  else faults.push('steps must be an array');
  if (!isRecord(given.expect)) faults.push('expect must be an object: stream → records');
  else {
    for (const [stream, records] of Object.entries(given.expect)) {
      faults.push(...expectedFaults(records, `expect.${stream}`));
    }
  }
  if (given.late !== undefined) faults.push(...expectedFaults(given.late, 'late'));
  if (given.state !== undefined && !isRecord(given.state))
    faults.push('state must be an object: key → state');
  else faults.push(...matcherFaults(given.state, 'state'));
  return faults;
}

function stepFaults(step: unknown, index: number): readonly string[] {
  const at = `steps[${index}]`;
  const names = isRecord(step) ? Object.keys(step) : [];
  if (!isRecord(step) || names.length !== 1) {
    return [`${at} must have one of "record", "watermark", "wall", "restart" and "end"`];
  }
  switch (names[0]) {
    case 'record':
      return recordFaults(step.record, `${at}.record`);
    case 'watermark':
    case 'wall':
      return Number.isSafeInteger(step[names[0]]) ? [] : [`${at}.${names[0]} must be whole milliseconds`];
    case 'restart':
    case 'end':
      return step[names[0]] === true ? [] : [`${at}.${names[0]} must be true`];
    default:
      return [`${at} has the unknown step ${JSON.stringify(names[0])}`];
  }
}

function recordFaults(record: unknown, at: string): readonly string[] {
  if (!isRecord(record)) return [`${at} must be an object`];
  const faults: string[] = [];
  if (typeof record.stream !== 'string') faults.push(`${at}.stream must name an input`);
  if (record.key !== undefined && typeof record.key !== 'string') faults.push(`${at}.key must be text`);
  if (!Object.hasOwn(record, 'value')) faults.push(`${at}.value is missing`);
  if (!Number.isSafeInteger(record.timestamp)) faults.push(`${at}.timestamp must be whole milliseconds`);
  if (record.pane !== undefined && !isPane(record.pane))
    faults.push(`${at}.pane must have a "start" and an "end" in whole milliseconds`);
  return faults;
}

function isPane(pane: unknown): boolean {
  return isRecord(pane) && Number.isSafeInteger(pane.start) && Number.isSafeInteger(pane.end);
}

function expectedFaults(records: unknown, at: string): readonly string[] {
  if (!Array.isArray(records)) return [`${at} must be an array of records`];
  return records.flatMap((record: unknown, i) =>
    isRecord(record) && Object.hasOwn(record, 'value')
      ? matcherFaults(record.value, `${at}[${i}].value`)
      : [`${at}[${i}] must be an object with a "value"`],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
