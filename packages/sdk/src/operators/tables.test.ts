import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { arrivals, feed } from '../../test/arrivals.ts';
import { type Change, input, type JoinKind, type OutputsOf, table, tableJoin } from '../index.ts';
import { harness } from '../testing/index.ts';

interface Row {
  readonly name: string;
  readonly gone?: boolean;
}
const rows = table(input<Row>(), { deletes: ({ gone }) => gone === true });

describe('table', () => {
  it('gives the changes of its row: put there, changed, taken away', () => {
    const subject = harness(rows)
      .record('in', 'k', { name: 'a' }, 1)
      .record('in', 'k', { name: 'b' }, 2)
      .record('in', 'k', { name: 'b', gone: true }, 3)
      .record('in', 'k', { name: 'b', gone: true }, 4)
      .expect('out', [
        { key: 'k', value: { before: null, after: { name: 'a' } }, timestamp: 1 },
        { key: 'k', value: { before: { name: 'a' }, after: { name: 'b' } }, timestamp: 2 },
        { key: 'k', value: { before: { name: 'b' }, after: null }, timestamp: 3 },
      ]);
    subject.watermark(5);
    expect(subject.keys()).toEqual([]);
  });

  it('an older row changes nothing, a deletion included, and is told', () => {
    harness(rows)
      .record('in', 'k', { name: 'b' }, 20)
      .record('in', 'k', { name: 'a' }, 10)
      .record('in', 'k', { name: 'c', gone: true }, 30)
      .record('in', 'k', { name: 'd' }, 25)
      .expect('out', [
        { value: { before: null, after: { name: 'b' } } },
        { value: { before: { name: 'b' }, after: null } },
      ])
      .expect('late', [
        { value: { name: 'a' }, timestamp: 10 },
        { value: { name: 'd' }, timestamp: 25 },
      ]);
  });

  it('N6: a late row is late, not lost: it may be older than a deletion that is forgotten', () => {
    const subject = harness(rows)
      .record('in', 'k', { name: 'a', gone: true }, 30)
      .watermark(31)
      .record('in', 'k', { name: 'b' }, 25)
      .expect('out', [])
      .expect('late', [{ value: { name: 'b' } }]);
    expect(subject.counter('droppedLate')).toBe(1);
  });

  it('TB1, TB2: ends with the latest row of each key, and its changes follow each other', () => {
    fc.assert(
      fc.property(arrivals({ slack: 1_000 }), (given) => {
        const node = table(input<{ n: number; side: string }>(), { deletes: ({ side }) => side === 'right' });
        const subject = harness(node, { isolated: false });
        feed(subject, given, { port: 'in', value: ({ n, side }) => ({ n, side }) });
        for (const key of ['a', 'b']) {
          const mine = given.filter((row) => row.key === key);
          const latest = mine.toSorted((one, other) => one.time - other.time || one.n - other.n).at(-1);
          const changes = subject.outputs('out').filter((each) => each.key === key);
          let row: unknown = null;
          for (const { value } of changes) {
            expect(value.before).toEqual(row);
            row = value.after;
          }
          const wanted = latest?.side === 'left' ? { n: latest.n, side: 'left' } : null;
          expect(row).toEqual(wanted);
        }
      }),
    );
  });
});

const put = (before: unknown, after: unknown): Change<never> => ({ before, after }) as never;

describe('tableJoin', () => {
  const people = input<Change<{ name: string }>>();
  const cities = input<Change<{ city: string }>>();

  it('a change on either side changes the joined row', () => {
    const subject = harness(tableJoin(people, cities, { join: ({ name }, { city }) => `${name} of ${city}` }))
      .record('left', 'k', put(null, { name: 'Ada' }), 10)
      .record('right', 'k', put(null, { city: 'Rome' }), 5)
      .record('right', 'k', put({ city: 'Rome' }, { city: 'Bonn' }), 20)
      .record('left', 'k', put({ name: 'Ada' }, null), 30)
      .record('right', 'k', put({ city: 'Bonn' }, null), 40)
      .expect('out', [
        { value: { before: null, after: 'Ada of Rome' }, timestamp: 10 },
        { value: { before: 'Ada of Rome', after: 'Ada of Bonn' }, timestamp: 20 },
        { value: { before: 'Ada of Bonn', after: null }, timestamp: 30 },
      ]);
    expect(subject.keys()).toEqual([]);
  });

  it('a left join gives a row that has no partner, until it has one', () => {
    harness(tableJoin(people, cities, { kind: 'left' }))
      .record('left', 'k', put(null, { name: 'Ada' }), 1)
      .record('right', 'k', put(null, { city: 'Rome' }), 2)
      .expect('out', [
        { value: { before: null, after: { left: { name: 'Ada' }, right: null } } },
        {
          value: {
            before: { left: { name: 'Ada' }, right: null },
            after: { left: { name: 'Ada' }, right: { city: 'Rome' } },
          },
        },
      ]);
  });

  it('a row whose join fails is set aside, and its removal leaves no ghost', () => {
    const node = tableJoin(people, cities, {
      kind: 'left',
      join: ({ name }) => {
        if (name === '') throw new Error('no name');
        return name;
      },
    });
    const subject = harness(node, { onError: 'collect' })
      .record('left', 'k', put(null, { name: '' }), 1)
      .record('left', 'k', put({ name: '' }, null), 2)
      .expect('out', []);
    expect(subject.errors()).toHaveLength(1);
    expect(subject.keys()).toEqual([]);
  });

  it('takes changes only, and types the joined rows', () => {
    const node = tableJoin(people, cities, { kind: 'full' });
    expectTypeOf<OutputsOf<typeof node>['out']>().toEqualTypeOf<
      Change<{ readonly left: { name: string } | null; readonly right: { city: string } | null }>
    >();
    // @ts-expect-error: rows are no changes
    tableJoin(input<{ name: string }>(), cities);
    expect(() => harness(node).record('left', 'k', { name: 'Ada' } as never, 1)).toThrow(
      'put a table in front',
    );
  });

  it('TJ1: ends with the join of the rows both tables end with', () => {
    const kinds = fc.constantFrom<JoinKind>('inner', 'left', 'right', 'full');
    fc.assert(
      fc.property(arrivals({ slack: 1_000 }), kinds, (given, kind) => {
        const held = new Map<string, unknown>();
        const subject = harness(tableJoin(input<Change<number>>(), input<Change<number>>(), { kind }), {
          isolated: false,
        });
        for (const { side, key, time, n } of given) {
          const before = held.get(`${side} ${key}`) ?? null;
          const after = n % 3 === 0 ? null : n;
          held.set(`${side} ${key}`, after);
          subject.record(side, key, put(before, after), time);
        }
        for (const key of ['a', 'b']) {
          let row: unknown = null;
          for (const { value } of subject.outputs('out').filter((each) => each.key === key)) {
            expect(value.before).toEqual(row);
            row = value.after;
          }
          const [left, right] = [held.get(`left ${key}`) ?? null, held.get(`right ${key}`) ?? null];
          const isJoined =
            (left !== null && (right !== null || kind === 'left' || kind === 'full')) ||
            (right !== null && left === null && (kind === 'right' || kind === 'full'));
          expect(row).toEqual(isJoined ? { left, right } : null);
        }
      }),
    );
  });
});
