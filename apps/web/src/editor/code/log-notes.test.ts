import type { ShownLogLine } from '@millrace/protocol/api';
import { expect, test } from 'vitest';
import { logNotes } from './log-notes.ts';

const line = (place: string, text: string, more: Partial<ShownLogLine> = {}): ShownLogLine => ({
  number: 1,
  time: 0,
  node: 'n_a',
  level: 'info',
  key: '',
  text,
  version: 3,
  place,
  ...more,
});
const CODE = { path: 'nodes/a.ts', version: 3 };

test('each line that logged says how often and what was the last, whatever its length', () => {
  const lines = [
    line('nodes/a.ts:4:5', 'one'),
    line('nodes/a.ts:4:5', 'two\n  lines', { level: 'warn' }),
    line('nodes/a.ts:9:1', 'x'.repeat(500)),
  ];
  expect(logNotes(lines, CODE)).toEqual([
    { line: 4, count: 2, level: 'warn', text: 'two lines' },
    { line: 9, count: 1, level: 'info', text: `${'x'.repeat(100)}…` },
  ]);
});

test('lines of other files, other versions and no place at all stand nowhere', () => {
  const lines = [
    line('nodes/a.tsx:4:5', 'another file'),
    line('nodes/a.ts:4:5', 'another version', { version: 2 }),
    line('', 'nowhere'),
  ];
  expect(logNotes(lines, CODE)).toEqual([]);
});
