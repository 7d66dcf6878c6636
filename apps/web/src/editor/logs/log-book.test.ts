import type { ShownLogLine } from '@millrace/protocol/api';
import { expect, test } from 'vitest';
import { linesThatFit, NO_LINES, takeLines } from './log-book.ts';

const line = (number: number, more: Partial<ShownLogLine> = {}): ShownLogLine => ({
  number,
  time: 0,
  node: 'n_a',
  level: 'info',
  key: '',
  text: `line ${number}`,
  version: 1,
  ...more,
});
const batch = (lines: readonly ShownLogLine[], restarted = false) => ({
  lines: [...lines],
  cut: 0,
  missed: 0,
  restarted,
});

test('lines that come again after a reconnect are shown once, those of an engine that began anew all', () => {
  const before = takeLines(NO_LINES, batch([line(1), line(2)]));
  const again = takeLines(before, batch([line(1), line(2), line(3)]));
  expect(again.lines.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(takeLines(again, batch([line(1)], true)).lines.map(({ number }) => number)).toEqual([1, 2, 3, 1]);
});

test('lines are found by level, node, text, key and line of code', () => {
  const lines = [
    line(1, { level: 'warn' }),
    line(2, { node: 'n_b' }),
    line(3, { key: 'eu-7', place: 'nodes/a.ts:3:7' }),
  ];
  const all = { text: '', level: 'debug', nodes: undefined, place: undefined } as const;
  expect(linesThatFit(lines, { ...all, level: 'warn' })).toHaveLength(1);
  expect(linesThatFit(lines, { ...all, nodes: new Set(['n_b']) })).toEqual([lines[1]]);
  expect(linesThatFit(lines, { ...all, text: 'EU-7' })).toEqual([lines[2]]);
  expect(linesThatFit(lines, { ...all, nodes: new Set(['n_b']), place: 'nodes/a.ts:3' })).toEqual([lines[2]]);
});

test('what was cleared does not come again after a reconnect', () => {
  const cleared = { ...NO_LINES, through: takeLines(NO_LINES, batch([line(1), line(2)])).through };
  expect(takeLines(cleared, batch([line(1), line(2), line(3)])).lines.map(({ number }) => number)).toEqual([
    3,
  ]);
});
