/**
 * Expected against actual outputs. Between keys there is no order, within one there is (P11): expected records
 * are matched to actual ones, then those of one key must come in the order in which they are written.
 */

import type { Pane } from '../api.ts';
import { sameData, spellData } from '../same-data.ts';
import type { OutputRecord } from './instance.ts';

/** Only what is given is compared, also within `pane`. */
export interface ExpectedRecord<V = unknown> {
  readonly value: V;
  readonly key?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly pane?: Partial<Pane> | undefined;
}

type Same = (expected: unknown, actual: unknown) => boolean;

export interface OutputDifference {
  readonly kind: 'missing' | 'unexpected' | 'order';
  readonly expected?: ExpectedRecord;
  readonly actual?: OutputRecord;
  readonly message: string;
}

/** `same`: whether a value is the expected one. */
export function compareOutputs(
  stream: string,
  expected: readonly ExpectedRecord[],
  actual: readonly OutputRecord[],
  same: Same = sameData,
): readonly OutputDifference[] {
  const matched = match(expected, actual, same);
  const differences: OutputDifference[] = [];
  const lastOfKey = new Map<string, number>();
  actual.forEach((record, i) => {
    const at = matched[i];
    if (at === undefined) {
      differences.push({
        kind: 'unexpected',
        actual: record,
        message: `${stream}: not expected: ${spellData(record)}`,
      });
      return;
    }
    if (at < (lastOfKey.get(record.key) ?? -1)) {
      differences.push({
        kind: 'order',
        expected: expected[at]!,
        actual: record,
        message: `${stream}: out of order within its key: ${spellData(record)}`,
      });
    }
    lastOfKey.set(record.key, Math.max(at, lastOfKey.get(record.key) ?? -1));
  });
  expected.forEach((record, i) => {
    if (matched.includes(i)) return;
    differences.push({
      kind: 'missing',
      expected: record,
      message: `${stream}: expected but not produced: ${spellData(record)}`,
    });
  });
  return differences;
}

export function agrees(expected: ExpectedRecord, actual: OutputRecord, same: Same = sameData): boolean {
  if (!same(expected.value, actual.value)) return false;
  if (expected.key !== undefined && expected.key !== actual.key) return false;
  if (expected.timestamp !== undefined && expected.timestamp !== actual.timestamp) return false;
  return Object.entries(expected.pane ?? {}).every(
    ([name, value]) => value === undefined || value === actual.pane?.[name as keyof Pane],
  );
}

/**
 * Index of the expected record of every actual one: a largest matching by augmenting paths (a record that
 * names little may fit several, and must leave the rest to those that name more).
 */
function match(
  expected: readonly ExpectedRecord[],
  actual: readonly OutputRecord[],
  same: Same,
): readonly (number | undefined)[] {
  const ofActual: (number | undefined)[] = actual.map(() => undefined);
  const takenBy: (number | undefined)[] = expected.map(() => undefined);
  const place = (i: number, tried: Set<number>): boolean => {
    for (let at = 0; at < expected.length; at += 1) {
      if (tried.has(at) || !agrees(expected[at]!, actual[i]!, same)) continue;
      tried.add(at);
      const holder = takenBy[at];
      if (holder === undefined || place(holder, tried)) {
        takenBy[at] = i;
        ofActual[i] = at;
        return true;
      }
    }
    return false;
  };
  for (let i = 0; i < actual.length; i += 1) {
    // The common case, all in order, must not cost a search.
    if (i < expected.length && takenBy[i] === undefined && agrees(expected[i]!, actual[i]!, same)) {
      takenBy[i] = i;
      ofActual[i] = i;
    } else {
      place(i, new Set());
    }
  }
  return ofActual;
}
