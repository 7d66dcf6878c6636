import { describe, expect, it } from 'vitest';
import {
  type Computation,
  deduplicate,
  input,
  intervalJoin,
  lookup,
  pattern,
  reduceByKey,
  runningReduce,
  save,
  sessions,
  sortByTime,
  table,
  track,
  tumbling,
  windowJoin,
} from '../index.ts';
import { harness } from '../testing/index.ts';

const number = input<number>();
const plus = (a: number, b: number): number => a + b;
const pane = { start: 0, end: 10, index: 1, timing: 'late', last: false, retracts: true } as const;
const taken = (node: Computation, stream: string) =>
  harness(node as Computation<Record<string, number>, { out: unknown }>).record({
    ...{ stream, value: 1, timestamp: 9, pane },
  });

describe('a record that takes back a pane', () => {
  it.each<[name: string, node: Computation, stream: string]>([
    ['windowJoin', windowJoin(number, number, { window: tumbling(10) }), 'left'],
    ['windowJoin of sessions', windowJoin(number, number, { window: sessions(10) }), 'right'],
    ['lookup', lookup(number, number), 'left'],
    ['lookup', lookup(number, number), 'right'],
    ['save', save(number, { every: 10 }), 'in'],
    ['intervalJoin', intervalJoin(number, number, { lower: 0, upper: 1 }), 'right'],
    ['deduplicate', deduplicate(number, { within: 1 }), 'in'],
    ['runningReduce', runningReduce(number, { reduce: plus }), 'in'],
    ['reduceByKey', reduceByKey(number, { reduce: plus, every: 10 }), 'in'],
    ['track', track(number, { init: (n) => n, update: (n) => n, timeout: 5 }), 'in'],
    ['table', table(number), 'in'],
    ['pattern', pattern(number, { steps: [{ name: 'a', where: () => true }], within: 5 }), 'in'],
  ])('N3: %s refuses it, since it cannot take off what it made of that pane', (_, node, stream) => {
    expect(() => taken(node, stream)).toThrow('takes back a pane');
  });

  it('N3: sortByTime passes it on as what it is', () => {
    taken(sortByTime(number) as Computation, 'in')
      .end()
      .expect('out', [{ value: 1, pane }]);
  });
});
