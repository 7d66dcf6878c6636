import type { LogLine } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import { expect, test } from 'vitest';
import { styleFor } from '../text/style.ts';
import { logLines } from './log-lines.ts';

const plan = { nodes: [{ id: 'n_lines', name: 'lines' }] } as unknown as RunPlan;
const line = (key: string): LogLine => ({
  node: 'n_lines',
  level: 'warn',
  key,
  text: 'a line of no use',
  time: 0,
  at: '',
});

test('a log line names its key only where it has one', () => {
  expect(logLines([line('eu'), line('')], 0, plan, styleFor(false))).toEqual([
    'warn lines [eu] a line of no use',
    'warn lines a line of no use',
  ]);
});
