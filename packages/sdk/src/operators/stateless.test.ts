import { describe, expect, it } from 'vitest';
import { aggregate, count, filter, flatMap, input, map, tumbling, union } from '../index.ts';
import { harness } from '../testing/index.ts';

const number = input<number>();
const pane = { start: 0, end: 10, index: 1, timing: 'late', last: false } as const;

describe('map, filter, flatMap, union', () => {
  it('D8: map gives one record for each, at its key and timestamp, whatever the input is called', () => {
    harness(map(number, (v, record) => ({ twice: v * 2, key: record.key })))
      .record('anything', 'k', 4, -7)
      .expect('out', [{ key: 'k', value: { twice: 8, key: 'k' }, timestamp: -7 }]);
  });

  it('D8: filter keeps what its condition keeps', () => {
    harness(filter(number, (v) => v > 1))
      .record('in', 'k', 1, 1)
      .record('in', 'k', 2, 2)
      .expect('out', [{ value: 2, timestamp: 2 }]);
  });

  it('D8: flatMap gives any number, in order', () => {
    harness(flatMap(number, (v) => new Set([v, v + 1])))
      .record('in', 'k', 1, 5)
      .expect('out', [
        { value: 1, timestamp: 5 },
        { value: 2, timestamp: 5 },
      ]);
    harness(flatMap(number, () => []))
      .record('in', 'k', 1, 5)
      .expect('out', []);
  });

  it('D8: union passes on the records of all inputs', () => {
    harness(union(number, input<string>()))
      .record('a', 'k', 1, 1)
      .record('b', 'k', 'x', 2)
      .expect('out', [{ value: 1 }, { value: 'x' }]);
  });

  it('N5: a record of a pane stays one', () => {
    for (const node of [
      map(number, (v) => v),
      filter(number, () => true),
      union(number),
      flatMap(number, (v) => [v]),
    ]) {
      harness(node)
        .record({ stream: 'in', value: 1, timestamp: 9, pane })
        .expect('out', [{ value: 1, pane }]);
    }
  });

  it('late records pass at their own timestamp (W8), and nothing is stored', () => {
    const subject = harness(map(number, (v) => v))
      .watermark(100)
      .record('in', 'k', 1, 5);
    subject.expect('out', [{ value: 1, timestamp: 5 }]);
    expect(subject.keys()).toEqual([]);
  });

  it('P8: answers that cannot be meant are errors that say so', () => {
    const asyncKeep = async () => false;
    expect(() => harness(filter(number, asyncKeep as never)).record('in', '', 1, 1)).toThrow(
      'gave a promise',
    );
    expect(() => harness(filter(number, (() => 1) as never)).record('in', '', 1, 1)).toThrow('type number');
    expect(() => harness(flatMap(number, () => 'abc')).record('in', '', 1, 1)).toThrow('type string');
    expect(() => harness(flatMap(number, (() => null) as never)).record('in', '', 1, 1)).toThrow('gave null');
    expect(() => harness(map(number, async (v) => v)).record('in', '', 1, 1)).toThrow('not data');
    expect(() => harness(map(number, () => () => 1)).record('in', '', 1, 1)).toThrow('not data');
  });

  it('a function that is none is refused when the operator is made', () => {
    expect(() => map(number, undefined as never)).toThrow('The function of map must be a function');
    expect(() => filter(number, 'value > 1' as never)).toThrow('but it is string');
    expect(() => flatMap(number, null as never)).toThrow('but it is null');
  });

  it('Y2: only stateless operators say that they are', () => {
    expect(map(number, (v) => v).stateless).toBe(true);
    expect(map(number, (v) => v).stateShape).toBeUndefined();
    const counted = aggregate(number, { window: tumbling(5), aggregates: { n: count() } });
    expect(counted.stateless).toBeUndefined();
  });
});
