import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  aggregate,
  avg,
  count,
  filter,
  flatMap,
  hopping,
  input,
  map,
  max,
  min,
  type OutputsOf,
  sessions,
  sum,
  tumbling,
  union,
} from '../index.ts';

interface Flight {
  origin: string;
  delay: number;
  cost: bigint;
}

describe('types flow through operators', () => {
  it('aggregate infers its output from its aggregates, and its selectors from the input', () => {
    const node = aggregate(input<Flight>(), {
      window: tumbling('1h', { offset: '0s', zone: 'UTC' }),
      aggregates: {
        flights: count(),
        late: sum((f) => f.delay),
        spent: sum((f) => f.cost),
        mean: avg((f) => f.delay),
        first: min((f) => f.origin),
        last: max((f) => f.delay),
      },
      allowedLateness: '10m',
    });
    type Out = OutputsOf<typeof node>;
    expectTypeOf<Out['out']>().toEqualTypeOf<{
      flights: number;
      late: number;
      spent: bigint;
      mean: number;
      first: string;
      last: number;
    }>();
    expectTypeOf<Out['late']>().toEqualTypeOf<Flight>();
    expect(node.stateless).toBeUndefined();
  });

  it('a selector is checked against the input', () => {
    aggregate(input<Flight>(), {
      window: hopping('1h', '1m'),
      // @ts-expect-error: a flight has no such field
      aggregates: { late: sum((f) => f.delya) },
    });
    aggregate(input<Flight>(), {
      window: sessions('1h'),
      // @ts-expect-error: text cannot be added up
      aggregates: { late: sum((f) => f.origin) },
    });
  });

  it('map, filter, flatMap and union carry the type on', () => {
    const mapped = map(input<Flight>(), (f) => ({ minutes: f.delay }));
    expectTypeOf<OutputsOf<typeof mapped>['out']>().toEqualTypeOf<{ minutes: number }>();
    const kept = filter(input<Flight>(), (f, record) => f.delay > 0 && record.key !== '');
    expectTypeOf<OutputsOf<typeof kept>['out']>().toEqualTypeOf<Flight>();
    const letters = flatMap(input<Flight>(), (f) => f.origin.split(''));
    expectTypeOf<OutputsOf<typeof letters>['out']>().toEqualTypeOf<string>();
    const both = union(input<Flight>(), input<string>());
    expectTypeOf<OutputsOf<typeof both>['out']>().toEqualTypeOf<Flight | string>();
    for (const each of [mapped, kept, letters, both]) expect(each.stateless).toBe(true);
  });
});
