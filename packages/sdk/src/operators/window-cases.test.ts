/**
 * Window cases of other systems, in terms of ours. In Flink watermark t says that nothing ≤ t is missing,
 * which is our t + 1; no case depends on its sessions merging where they touch. Kafka has no watermarks and
 * shows final results: stream time less the grace is our watermark.
 */

import { describe, expect, it } from 'vitest';
import { readYardstick } from '../../test/yardsticks.ts';
import { aggregate, hopping, input, sessions, sum, tumbling, type Window } from '../index.ts';
import { harness } from '../testing/index.ts';

type Op = ['e', string, number, number] | ['w', number] | ['restart'];
type Row = [key: string, sum: number, start: number, end: number];

interface WindowCase {
  readonly id: string;
  readonly model: 'flink' | 'kafka';
  readonly window: { type: string; size: number; slide: number; gap: number };
  readonly lateness?: number;
  readonly grace?: number;
  readonly trigger?: 'purge';
  readonly ops: readonly Op[];
  readonly expect: readonly Row[];
  readonly late: readonly [string, number, number][];
  readonly expect_by_op: readonly [number, Row[]][];
  readonly state_left?: number;
}

const text = readYardstick('windows/cases.json');
const cases: readonly WindowCase[] = text === undefined ? [] : JSON.parse(text);

function windowOf({ window, model }: WindowCase): Window {
  if (window.type === 'tumbling') return tumbling(window.size);
  if (window.type === 'hopping') return hopping(window.size, window.slide);
  // Kafka's sessions merge where the distance is the gap.
  return sessions(model === 'kafka' ? window.gap + 1 : window.gap);
}

function subjectOf(each: WindowCase) {
  return harness(
    aggregate(input<number>(), {
      window: windowOf(each),
      aggregates: { sum: sum((v) => v) },
      allowedLateness: each.lateness ?? 0,
      accumulation: each.trigger === 'purge' ? 'discarding' : 'accumulating',
    }),
  );
}

type Subject = ReturnType<typeof subjectOf>;

function rowsOf(subject: Subject, from: number, end = (time: number) => time): Row[] {
  return subject
    .outputs('out')
    .slice(from)
    .map(({ key, value, pane }) => [key, value.sum, pane!.start, end(pane!.end)]);
}

function sorted(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function runFlink(each: WindowCase): void {
  const subject = subjectOf(each);
  each.ops.forEach((op, i) => {
    const before = subject.outputs('out').length;
    if (op[0] === 'e') subject.record('in', op[1], op[2], op[3]);
    else if (op[0] === 'w') subject.watermark(op[1] + 1);
    else subject.restart();
    const due = each.expect_by_op.find(([index]) => index === i)?.[1] ?? [];
    expect(sorted(rowsOf(subject, before)), `after op ${i} ${JSON.stringify(op)}`).toEqual(sorted(due));
  });
  expect(sorted(rowsOf(subject, 0))).toEqual(sorted(each.expect));
  expect(subject.outputs('late').map(({ key, value, timestamp }) => [key, value, timestamp])).toEqual(
    each.late,
  );
  expect(subject.keys()).toHaveLength(each.state_left ?? 0);
}

/** Final results: a window closes when stream time (per case, over all keys) passes its end by the grace. */
function runKafka(each: WindowCase): void {
  const subject = subjectOf(each);
  const isSession = each.window.type === 'session';
  let streamTime = Number.NEGATIVE_INFINITY;
  for (const op of each.ops) {
    if (op[0] !== 'e') continue;
    subject.record('in', op[1], op[2], op[3]);
    streamTime = Math.max(streamTime, op[3]);
    subject.watermark(streamTime - (each.grace ?? 0));
  }
  // A session there ends at its last record; here one gap (and 1 ms, for touching) later.
  const rows = rowsOf(subject, 0, (end) => (isSession ? end - each.window.gap - 1 : end));
  // It has no windows that begin before 1970.
  const known = rows.filter(([, , start]) => start >= 0);
  expect(sorted(known)).toEqual(sorted(each.expect));
  expect(subject.outputs('late').map(({ key, value, timestamp }) => [key, value, timestamp])).toEqual(
    each.late,
  );
}

describe.skipIf(text === undefined)('windows/cases.json', () => {
  for (const each of cases) {
    it(`N1–N4: ${each.id}`, () => {
      if (each.model === 'kafka') runKafka(each);
      else runFlink(each);
    });
  }
});
