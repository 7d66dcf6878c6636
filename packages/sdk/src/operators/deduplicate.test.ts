import { describe, expect, it } from 'vitest';
import { deduplicate, input } from '../index.ts';
import { harness } from '../testing/index.ts';

interface Click {
  readonly id: string;
  readonly n: number;
}
const clicks = input<Click>();

describe('deduplicate', () => {
  it('passes on the first of what is the same, key by key', () => {
    harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .record('in', 'ada', { id: 'a', n: 2 }, 6)
      .record('in', 'ada', { id: 'b', n: 3 }, 6)
      .record('in', 'bob', { id: 'a', n: 4 }, 7)
      .expect('out', [
        { key: 'ada', value: { id: 'a', n: 1 }, timestamp: 5 },
        { key: 'ada', value: { id: 'b', n: 3 }, timestamp: 6 },
        { key: 'bob', value: { id: 'a', n: 4 }, timestamp: 7 },
      ]);
  });

  it('without a function, one record of a key', () => {
    harness(deduplicate(clicks, { within: '1h' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .record('in', 'ada', { id: 'b', n: 2 }, 6)
      .expect('out', [{ value: { id: 'a', n: 1 } }]);
  });

  it('forgets an id when the watermark has passed its first record by so much, not a millisecond before', () => {
    const subject = harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .watermark(14)
      .record('in', 'ada', { id: 'a', n: 2 }, 20)
      .watermark(15);
    expect(subject.keys()).toEqual([]);
    subject
      .record('in', 'ada', { id: 'a', n: 3 }, 21)
      .expect('out', [{ value: { id: 'a', n: 1 } }, { value: { id: 'a', n: 3 } }]);
  });

  it('N4: a record whose id may have been forgotten is late, not new', () => {
    harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .watermark(100)
      .record('in', 'ada', { id: 'a', n: 1 }, 91)
      .record('in', 'ada', { id: 'b', n: 2 }, 90)
      .expect('out', [{ value: { id: 'a', n: 1 } }])
      .expect('late', [{ value: { id: 'b', n: 2 } }]);
  });

  it('says what is wrong with its options', () => {
    expect(() => deduplicate(clicks, { within: '0s' })).toThrow('longer than nothing');
    expect(() => deduplicate(clicks, { within: '1s', every: 1 } as never)).toThrow('no option "every"');
    const odd = harness(deduplicate(clicks, { by: () => 0.5 as never, within: '1s' }));
    expect(() => odd.record('in', 'k', { id: 'a', n: 1 }, 1)).toThrow('must give a string');
  });
});
