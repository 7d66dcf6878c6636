import type { TapRecordShown } from '@millrace/protocol/api';
import { expect, test } from 'vitest';
import { jsonOf, MOST_RECORDS, NO_RECORDS, shareOf, takeBatch } from './record-log.ts';

const record = (text: string, more: Partial<TapRecordShown> = {}): TapRecordShown => ({
  stream: 's_a',
  key: 'k',
  timestamp: 5,
  id: 'r1',
  text,
  cut: false,
  earlier: false,
  ...more,
});
const batch = (records: readonly TapRecordShown[], seen = records.length) => ({
  records,
  seen,
  filtered: 0,
  dropped: 0,
});

test('only the newest are kept, and each keeps its number when older ones go', () => {
  let log = NO_RECORDS;
  for (let i = 0; i < MOST_RECORDS + 3; i++)
    log = takeBatch(log, batch([record(String(i))]), { now: i, isPaused: false });
  expect(log.records).toHaveLength(MOST_RECORDS);
  expect(log.records[0]).toMatchObject({ number: 4, text: '3' });
});

test('a paused list stays as it is and counts what goes by', () => {
  const before = takeBatch(NO_RECORDS, batch([record('1')]), { now: 0, isPaused: false });
  const paused = takeBatch(before, batch([record('2'), record('3')]), { now: 1, isPaused: true });
  expect(paused.records).toBe(before.records);
  expect(paused.passed).toBe(2);
});

test('what is shown is told beside all that went by, without what lay there before', () => {
  let log = takeBatch(NO_RECORDS, batch([record('0', { earlier: true })], 0), { now: 0, isPaused: false });
  log = takeBatch(log, batch([record('1')], 1_000), { now: 1_000, isPaused: false });
  log = takeBatch(log, batch([record('2')], 3_000), { now: 2_000, isPaused: false });
  expect(shareOf(log, 2_000)).toEqual({ shown: 1, seen: 2_000 });
});

test('a copy has the digits that came', () => {
  expect(jsonOf(record('{"n":9007199254740993}'))).toBe(
    '{"stream":"s_a","key":"k","timestamp":5,"id":"r1","value":{"n":9007199254740993}}',
  );
});
