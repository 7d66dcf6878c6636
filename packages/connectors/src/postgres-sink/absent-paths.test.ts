import { describe, expect, it } from 'vitest';
import { sinkRow } from '../../test/contexts.ts';
import { testDatabase } from '../../test/database.ts';
import { postgresSink } from './sink.ts';

const database = testDatabase();
const never = new AbortController().signal;
const columns = {
  key: { from: 'key' },
  flights: { from: 'value.flights', type: 'bigint' },
  delay: { from: 'value.delays.mean', type: 'numeric' },
  gate: { from: 'value.gate', type: 'text' },
};

const rows = (position: number, values: readonly object[]) =>
  values.map((value, i) => sinkRow(position, i, JSON.stringify({ key: 'k', value, timestamp: 0 })));

describe('columns whose place in the records is never there', () => {
  it('are told of once, after some records, and those that are only sometimes there are not', async () => {
    const { context } = await database.newSink();
    const sink = await postgresSink.open({ table: 'absent', columns }, context);
    const few = Array.from({ length: 20 }, (_, i) => ({ flights: i, ...(i === 7 && { gate: null }) }));
    await sink.deliver({ through: 1, rows: rows(1, few) }, never);
    expect(context.messages).toEqual([]);
    await sink.deliver({ through: 2, rows: rows(2, few) }, never);
    await sink.deliver({ through: 3, rows: rows(3, few) }, never);
    expect(context.messages).toEqual([
      expect.stringContaining(
        'none of the first 40 records has value.delays.mean, so column "delay" is null',
      ),
    ]);
    expect(await database.store.query('select count(*)::int as n from data.absent')).toEqual([{ n: 60 }]);
  });

  it('a record that is refused for its content does not stop the others', async () => {
    const { context } = await database.newSink();
    const sink = await postgresSink.open({ table: 'refused', columns }, context);
    const values = [{ flights: 1 }, { flights: 'x' }, { flights: 2, bad: 'a\0b' }, { flights: 3 }];
    expect(await sink.deliver({ through: 1, rows: rows(1, values) }, never)).toEqual({ rejected: 2 });
    expect(await database.store.query('select flights::int from data.refused order by 1')).toEqual([
      ...[{ flights: 1 }, { flights: 3 }],
    ]);
  });
});
