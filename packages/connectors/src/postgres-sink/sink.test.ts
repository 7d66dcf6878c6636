import type { OpenSink } from '@millrace/engine';
import { describe, expect, it, vi } from 'vitest';
import { sinkRow } from '../../test/contexts.ts';
import { testDatabase } from '../../test/database.ts';
import { postgresSink } from './sink.ts';

const database = testDatabase();
const never = new AbortController().signal;

const rows = (text: string): Promise<Record<string, unknown>[]> => database.store.query(text);

const line = (key: string, value: unknown, timestamp = 0, pane?: object): string =>
  JSON.stringify({ key, value, timestamp, pane });

function send(sink: OpenSink, through: number, ...lines: string[]): Promise<{ rejected: number }> {
  return sink.deliver({ through, rows: lines.map((text, i) => sinkRow(through, i, text)) }, never);
}

describe('sink/postgres', () => {
  it('P7: makes the table and writes every digit, in order', async () => {
    const { context } = await database.newSink();
    const sink = await postgresSink.open({ table: 'plain' }, context);
    expect(sink.through).toBe(0);
    await send(
      sink,
      5,
      '{"key":"a","value":{"n":90071992547409931234567890.5},"timestamp":-1}',
      line('', [1, null, '😀'], 2, { start: 0, end: 10, index: 0, timing: 'on-time', last: true }),
    );
    expect(await rows('select key, value::text, timestamp::text, pane::text from data.plain')).toEqual([
      { key: 'a', value: '{"n": 90071992547409931234567890.5}', timestamp: '-1', pane: null },
      {
        key: '',
        value: '[1, null, "😀"]',
        timestamp: '2',
        pane: '{"end": 10, "last": true, "index": 0, "start": 0, "timing": "on-time"}',
      },
    ]);
    expect(await context.mark()).toMatchObject({ through: 5 });
  });

  it('P7: rows delivered again, by this host or the next, are written once; a fenced host writes nothing', async () => {
    const first = await database.newSink();
    const sink = await postgresSink.open({ table: 'once' }, first.context);
    await send(sink, 1, line('a', 1));
    await send(sink, 1, line('a', 1));
    const next = await (await first.nextHost()).context;
    await expect(send(sink, 2, line('b', 2))).rejects.toMatchObject({ name: 'FencedError' });
    const again = await postgresSink.open({ table: 'once' }, next);
    expect(again.through).toBe(1);
    await again.deliver(
      { through: 2, rows: [sinkRow(1, 0, line('a', 1)), sinkRow(2, 0, line('b', 2))] },
      never,
    );
    expect(await rows('select key from data.once')).toEqual([{ key: 'a' }, { key: 'b' }]);
  });

  it('upsert: the last record of a key wins, inside a batch and between batches', async () => {
    const { context } = await database.newSink();
    const config = {
      table: 'latest',
      mode: 'upsert',
      columns: {
        key: { from: 'key' },
        start: { from: 'pane.start' },
        n: { from: 'value.n', type: 'numeric' },
      },
      key: ['start', 'key'],
    };
    const sink = await postgresSink.open(config, context);
    const at = (start: number): object => ({ start, end: start + 1, index: 0, timing: 'late', last: false });
    await send(
      sink,
      1,
      line('a', { n: 1 }, 0, at(0)),
      line('b', { n: 2 }, 0, at(0)),
      line('a', { n: 3 }, 0, at(0)),
    );
    await send(sink, 2, line('a', { n: 4 }, 0, at(9)), line('b', { n: 5 }, 0, at(0)));
    expect(await rows('select key, start::int, n::int from data.latest order by start, key')).toEqual([
      { key: 'a', start: 0, n: 3 },
      { key: 'b', start: 0, n: 5 },
      { key: 'a', start: 9, n: 4 },
    ]);
    const { rejected } = await send(sink, 3, line('a', { n: 6 }));
    expect(rejected).toBe(1);
  });

  it('casts every type, and times in milliseconds or ISO 8601 to the microsecond', async () => {
    const { context } = await database.newSink();
    const columns = {
      t: { from: 'value.t', type: 'text' },
      b: { from: 'value.b', type: 'bigint' },
      n: { from: 'value.n', type: 'numeric' },
      d: { from: 'value.d', type: 'double precision' },
      o: { from: 'value.o', type: 'boolean' },
      at: { from: 'timestamp', type: 'timestamptz' },
      iso: { from: 'value.iso', type: 'timestamptz' },
      j: { from: 'value.list.1' },
      id: { from: 'id' },
    };
    const sink = await postgresSink.open({ table: 'types', columns }, context);
    const text =
      '{"key":"","timestamp":1700000000123,"value":{"t":{"x":1},"b":9223372036854775807,"n":0.1234567890123456789,"d":1e300,"o":true,"iso":"2001-02-03T04:05:06.789","list":[1,{"y":2}]}}';
    await send(sink, 1, text, '{"key":"","timestamp":-1,"value":{"t":null}}');
    const [first, second] = await rows(
      `select t, b::text, n::text, d::text, o, (extract(epoch from at) * 1000)::text as at, iso at time zone 'UTC' = '2001-02-03 04:05:06.789' as iso, j::text, id from data.types`,
    );
    expect(first).toEqual({
      t: '{"x": 1}',
      b: '9223372036854775807',
      n: '0.1234567890123456789',
      d: '1e+300',
      o: true,
      at: expect.stringMatching(/^1700000000123\.0+$/),
      iso: true,
      j: '{"y": 2}',
      id: '1-0',
    });
    expect(second).toMatchObject({ t: null, b: null, j: null, at: expect.stringMatching(/^-1\.0+$/) });
  });

  it('P7: each bad row is one dead letter with its reason; the others go in, in order', async () => {
    const { context, pipeline } = await database.newSink();
    const columns = {
      k: { from: 'key' },
      n: { from: 'value.n', type: 'bigint' },
      t: { from: 'value.t', type: 'text' },
    };
    await rows('create table data.strict (k text primary key, n bigint not null check (n <> 1013), t text)');
    await rows('grant all on data.strict to millrace_data');
    const sink = await postgresSink.open({ table: 'strict', mode: 'upsert', key: ['k'], columns }, context);
    const good = Array.from({ length: 200 }, (_, i) => line(`k${i % 50}`, { n: i }));
    const bad: [string, RegExp][] = [
      [line('u', { n: 1, t: 'a\0b' }), /\\u0000 cannot be converted|unsupported Unicode/],
      [line('o', { n: 2 ** 70 }), /out of range|invalid input syntax/],
      [line('z', {}), /null value in column "n"/],
      [line('c', { n: 1013 }), /strict_n_check/],
      [line('w', { n: 'many' }), /invalid input syntax for type bigint: "many"/],
      [line('s', { n: 1, t: '\ud800' }), /Unicode/],
    ];
    const mixed = good.flatMap((text, i) => (i % 40 === 20 ? [bad[(i - 20) / 40]?.[0] ?? '', text] : [text]));
    mixed.push(bad[5]?.[0] ?? '');
    expect(await send(sink, 7, ...mixed)).toEqual({ rejected: 6 });
    expect((await rows('select count(*)::int, min(n)::int, max(n)::int from data.strict'))[0]).toEqual({
      count: 50,
      min: 150,
      max: 199,
    });
    const letters = await pipeline.deadLetters(100);
    for (const [input, error] of bad) {
      expect(letters.filter((letter) => letter.input === input).map((letter) => letter.error)).toEqual([
        expect.stringMatching(error),
      ]);
    }
    expect(await context.mark()).toMatchObject({ through: 7 });
  });

  it('P7: a constraint that is checked only at the commit finds its row too', async () => {
    const { context } = await database.newSink();
    await rows('create table data.deferred (n bigint unique deferrable initially deferred)');
    await rows('grant all on data.deferred to millrace_data');
    const columns = { n: { from: 'value', type: 'bigint' } };
    const sink = await postgresSink.open({ table: 'deferred', columns }, context);
    expect(await send(sink, 1, line('', 1), line('', 1), line('', 2))).toEqual({ rejected: 1 });
    expect(await rows('select n::int from data.deferred order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('names with quotes, dots, backslashes and capitals are taken as they are', async () => {
    const { context } = await database.newSink();
    const columns = {
      'a"b': { from: "value.it's" },
      'C\\': { from: 'value.c\\d', type: 'bigint' },
      'select; --': { from: 'key' },
    };
    const sink = await postgresSink.open({ table: '"My.""Table"', columns }, context);
    await send(sink, 1, line('k', { "it's": 1, 'c\\d': 2 }));
    expect(await rows(`select * from data."My.""Table"`)).toEqual([
      { 'a"b': 1, 'C\\': '2', 'select; --': 'k' },
    ]);
  });

  it('a table that is another one stops the sink and lists both sides', async () => {
    const { context } = await database.newSink();
    await rows(
      'create table data.other (key text, n integer, must text not null, g bigint generated always as (1) stored)',
    );
    await rows('create view data.looks as select 1 as key');
    await rows('grant all on data.other to millrace_data');
    const columns = { key: { from: 'key' }, n: { from: 'value.n', type: 'bigint' }, more: { from: 'value' } };
    await expect(postgresSink.open({ table: 'other', columns }, context)).rejects.toThrow(
      'Node "result" could not open its table "data"."other": the table "data"."other" is not what the settings ask for: column "n" is asked for as bigint but is integer; column "more" (jsonb) is missing; column "must" (text) must have a value but is not among the settings\' columns. Name another table',
    );
    await expect(postgresSink.open({ table: 'looks' }, context)).rejects.toThrow('it is a view');
    const upsert = {
      table: 'other',
      mode: 'upsert',
      columns: { key: { from: 'key' }, must: { from: 'key' } },
    };
    await expect(postgresSink.open(upsert, context)).rejects.toThrow('column "key" of the key may be null');
    await rows('alter table data.other alter key set not null');
    await expect(postgresSink.open(upsert, context)).rejects.toThrow('exactly ("key"), and there is none');
    await rows('create unique index on data.other (key)');
    await postgresSink.open(upsert, context);
  });

  it('the schema of Millrace itself is refused by name, and by the database', async () => {
    const { context } = await database.newSink();
    for (const table of [
      'millrace.pages',
      'Millrace.pages',
      '"millrace".pages',
      'pg_catalog.x',
      'a.b.c',
      '.x',
      '"',
      '',
    ]) {
      await expect(postgresSink.open({ table }, context)).rejects.toThrow('config.table');
    }
    const mark = { through: 0, detail: {} };
    for (const attack of ['delete from millrace.pages', 'create table millrace.x ()']) {
      const write = context.commit(mark, [], async (sql) => void (await sql.query(attack)));
      await expect(write).rejects.toThrow('permission denied');
    }
    await expect(postgresSink.open({ table: 'nowhere.t' }, context)).rejects.toThrow(
      /could not open its table .*schema/,
    );
  });

  it('G3: settings that make no sense are told at once', async () => {
    const { context } = await database.newSink();
    const config = {
      table: 't',
      key: ['a'],
      columns: { a: { from: 'other.x' }, ['x'.repeat(64)]: { from: 'key' } },
    };
    await expect(postgresSink.open(config, context)).rejects.toThrow(
      /config\.columns\.a\.from: starts with one of key/,
    );
    await expect(postgresSink.open({ table: 't', key: ['a'] }, context)).rejects.toThrow(
      'only has a meaning where mode is upsert',
    );
    await expect(postgresSink.open({ table: 't', mode: 'upsert', key: ['a'] }, context)).rejects.toThrow(
      '"a" is not among the columns',
    );
    const proto = JSON.parse('{"table":"t","columns":{"__proto__":{"from":"key"}}}');
    await expect(postgresSink.open(proto, context)).rejects.toThrow('cannot hold the name __proto__');
  });

  it('a table that is dropped, or a right that is taken, while it is written to stops the sink with a remedy', async () => {
    const { context } = await database.newSink();
    const sink = await postgresSink.open({ table: 'dropped' }, context);
    await send(sink, 1, line('a', 1));
    await rows('revoke all on data.dropped from millrace_data');
    await expect(send(sink, 2, line('b', 1))).rejects.toThrow(
      /^Node "result" could not write to its table "data"\."dropped": permission denied .* Grant the right/,
    );
    await rows('drop table data.dropped');
    await expect(send(sink, 2, line('b', 1))).rejects.toThrow(
      'The table was dropped while it was written to',
    );
    const again = await postgresSink.open({ table: 'dropped' }, context);
    await send(again, 2, line('b', 1));
    expect(await rows('select key from data.dropped')).toEqual([{ key: 'b' }]);
  });

  it('a batch larger than one statement takes is still one commit', async () => {
    const { context } = await database.newSink();
    const columns = { k: { from: 'key' }, t: { from: 'value', type: 'text' } };
    const sink = await postgresSink.open({ table: 'large', mode: 'upsert', key: ['k'], columns }, context);
    const large = Array.from({ length: 6 }, (_, i) => line(`k${i % 4}`, `${i}${'x'.repeat(5_000_000)}`));
    expect(await send(sink, 1, ...large, line('bad', 'a\0b'))).toEqual({ rejected: 1 });
    expect(await rows('select k, left(t, 1) as first, length(t) from data.large order by k')).toEqual(
      [4, 5, 2, 3].map((first, k) => ({ k: `k${k}`, first: `${first}`, length: 5_000_001 })),
    );
  });

  it('Y5: Postgres killed again and again under load: every row is there once', async () => {
    const { context } = await database.newSink();
    const sink = await postgresSink.open(
      { table: 'survives', columns: { n: { from: 'value', type: 'bigint' } } },
      context,
    );
    for (let batch = 1; batch <= 40; batch++) {
      if (batch % 10 === 5) {
        // Its pid is the last one's until the next is up.
        await vi.waitFor(() => process.kill(database.store.serverPid() as number, 'SIGKILL'), 10_000);
      }
      await send(sink, batch, ...Array.from({ length: 50 }, (_, i) => line('', batch * 50 + i)));
    }
    expect(
      (await rows('select count(*)::int, count(distinct n)::int as once from data.survives'))[0],
    ).toEqual({
      count: 2000,
      once: 2000,
    });
  });
});
