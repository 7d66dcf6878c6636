import { describe, expect, it } from 'vitest';
import { type DeadLetterGroup, failuresIn, groupsIn } from './failures.ts';

const group = (place: string | null, count: number, newest = 1): DeadLetterGroup => ({
  group: null,
  node: 'n_a',
  error: `Error: error ${count}`,
  place,
  count,
  newest,
  newestAt: 0,
  oldestAt: 0,
});

describe('dead letters at their lines', () => {
  it('are those of this file, the most frequent first', () => {
    const groups = [
      group('nodes/a.ts:3:7', 2),
      group('nodes/a.ts.ts:1:1', 9),
      group(null, 5),
      group('nodes/a.ts:8:1', 4),
    ];
    expect(groupsIn(groups, 'nodes/a.ts').map(({ count }) => count)).toEqual([4, 2]);
  });

  it('stand there only where the code is the one that failed', () => {
    const groups = [
      group('nodes/a.ts:3:7', 2, 1),
      group('nodes/a.ts:8:1', 4, 2),
      group('nodes/a.ts:9:1', 4, 3),
    ];
    const texts = new Map([
      [1, 'now'],
      [2, 'before'],
    ]);
    expect(failuresIn(groups, 'now', ({ newest }) => texts.get(newest))).toEqual([
      { line: 3, count: 2, error: 'error 2' },
    ]);
  });
});
