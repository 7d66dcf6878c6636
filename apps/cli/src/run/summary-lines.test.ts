import type { DeadLetterRow, NodeCounts } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { styleFor } from '../text/style.ts';
import { widthOf } from '../text/width.ts';
import { deadLetterLines } from './dead-letter-lines.ts';
import { summaryLines } from './summary-lines.ts';

const counts = (name: string, more: Partial<NodeCounts> = {}): NodeCounts => ({
  node: `n_${name}`,
  name,
  in: 0,
  out: 0,
  late: 0,
  deadLettered: 0,
  timersDeadLettered: 0,
  processed: 0,
  redriven: 0,
  droppedLate: 0,
  duplicates: 0,
  setAside: 0,
  waiting: 0,
  counts: {},
  countsCut: 0,
  ...more,
});

describe('the summary', () => {
  const nodes = [
    counts('flights', { out: 2_000, deadLettered: 1 }),
    counts('count', { in: 2_000, out: 1_100 }),
  ];

  it('has records in, out, late and dead-lettered of every node', () => {
    expect(summaryLines({ nodes }, 80, styleFor(false))).toEqual([
      'node        in    out  late  dead-lettered',
      'flights      0  2,000     0              1',
      'count    2,000  1,100     0              0',
    ]);
  });

  it('P9: shows the other counts where there are any', () => {
    const text = summaryLines(
      { nodes: [counts('a', { waiting: 3, droppedLate: 2 })] },
      80,
      styleFor(false),
    ).join('\n');
    expect(text).toContain('waiting');
    expect(text).toContain('dropped late');
    expect(text).not.toContain('duplicates');
  });

  it('fits a narrow terminal', () => {
    for (const line of summaryLines({ nodes }, 24, styleFor(false)))
      expect(widthOf(line)).toBeLessThanOrEqual(24);
  });
});

describe('a dead letter', () => {
  const plan: RunPlan = {
    pipeline: 'p_1',
    name: 'log',
    params: {},
    streams: [],
    nodes: [
      {
        index: 0,
        id: 'n_lines',
        name: 'lines',
        kind: 'injector',
        type: 'injector/file',
        config: {},
        exactlyOnce: true,
        productions: 'strong',
        inputs: [],
        outputs: [],
      },
    ],
  };
  const letter: DeadLetterRow = {
    id: '1',
    node: 'n_lines',
    input: '{"a":\u001b[31m',
    error: 'not JSON: unexpected end',
    stack: 'Error: x\n    at parse (nodes/parse.ts:12:5)',
    key: undefined,
    timestamp: undefined,
    origin: 'log.jsonl, byte 120, line 7',
    state: undefined,
    version: 1,
    attempts: 3,
  };

  it('names the node, the place of the input, the reason, the line of code and the remedy', () => {
    const text = deadLetterLines([letter], plan, 80, styleFor(false)).join('\n');
    expect(text).toContain('in lines: log.jsonl, byte 120, line 7, 3 tries');
    expect(text).toContain('not JSON: unexpected end (nodes/parse.ts:12:5)');
    expect(text).toContain('Correct this place of the input');
  });

  it('does not obey an escape sequence in the input', () => {
    expect(deadLetterLines([letter], plan, 80, styleFor(false)).join('')).not.toContain('\u001b');
  });
});
