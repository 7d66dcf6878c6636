import type { OpenSink } from '@millrace/engine';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectorContext, memorySinkContext, sinkRow } from '../../test/contexts.ts';
import { testDatabase } from '../../test/database.ts';
import { postgresSink } from './sink.ts';

const database = testDatabase();
const never = new AbortController().signal;
let url = '';
let other: pg.Client;

beforeAll(async () => {
  await database.store.query('create database shop');
  await database.store.query('create role guest login');
  await database.store.query(`create role hurried login connection limit 0`);
  url = await database.otherUrl('shop');
  other = new pg.Client(url);
  await other.connect();
  await other.query('create schema data; create schema loose; grant usage on schema loose to guest');
  await other.query(
    'create table loose.rows (id text primary key, n bigint); grant all on loose.rows to guest',
  );
  await other.query('create table loose.plain (n bigint); grant all on loose.plain to guest');
});
afterAll(async () => other.end());

const line = (value: unknown): string => JSON.stringify({ key: 'k', value, timestamp: 0 });
const columns = { n: { from: 'value', type: 'bigint' } };

function send(sink: OpenSink, through: number, ...values: unknown[]): Promise<{ rejected: number }> {
  return sink.deliver({ through, rows: values.map((value, i) => sinkRow(through, i, line(value))) }, never);
}

async function open(config: object, context: Parameters<typeof postgresSink.open>[1]): Promise<OpenSink> {
  const sink = await postgresSink.open({ url, columns, ...config }, context);
  onTestFinished(() => sink.close());
  return sink;
}

const numbers = async (table: string): Promise<number[]> =>
  (await other.query(`select n::int from ${table} order by n`)).rows.map((row) => row.n);

describe('sink/postgres in another database', () => {
  it('P7: a kill between its commit and ours repeats nothing', async () => {
    const context = memorySinkContext('/');
    const sink = await open({ table: 'kill' }, context);
    await send(sink, 1, 1, 2);
    context.failNext = new Error('killed');
    await expect(send(sink, 2, 3)).rejects.toThrow('killed');
    expect((await context.mark())?.through).toBe(1);
    const again = await open({ table: 'kill' }, context);
    expect(again.through).toBe(2);
    expect((await context.mark())?.through).toBe(2);
    await send(again, 2, 3);
    await send(again, 3, 4);
    expect(await numbers('data.kill')).toEqual([1, 2, 3, 4]);
  });

  it('P7: an old host brings rows the new one has already written: they are there once', async () => {
    const context = memorySinkContext('/');
    const old = await open({ table: 'zombie' }, context);
    await send(old, 1, 1);
    const fresh = await open({ table: 'zombie' }, context);
    await send(fresh, 3, 2, 3);
    await old.deliver({ through: 2, rows: [sinkRow(2, 0, line(99))] }, never);
    expect(await numbers('data.zombie')).toEqual([1, 2, 3]);
  });

  it('a sink started anew is not held up by the mark of the last run, whose host has to stop', async () => {
    const old = memorySinkContext('/');
    const before = await open({ table: 'anew' }, old);
    await send(before, 100, 1);
    const context = memorySinkContext('/');
    const sink = await open({ table: 'anew' }, context);
    await send(sink, 5, 2);
    expect(await numbers('data.anew')).toEqual([1, 2]);
    await expect(send(before, 101, 3)).rejects.toThrow('belongs to a newer run of this sink');
  });

  it('P7: a bad row is one dead letter, told before the rows around it are committed', async () => {
    const context = memorySinkContext('/');
    const sink = await open({ table: 'bad' }, context);
    expect(await send(sink, 1, 1, 'x', 3)).toEqual({ rejected: 1 });
    expect(context.deadLetters[0]?.error).toMatch(/invalid input syntax for type bigint: "x"/);
    expect(await numbers('data.bad')).toEqual([1, 3]);
  });

  it('P7: a dead letter survives a kill between the commit there and ours', async () => {
    const context = memorySinkContext('/');
    const killed = {
      ...context,
      async commit(...[mark, letters]: Parameters<typeof context.commit>) {
        if (mark.through === 1) throw new Error('killed');
        await context.commit(mark, letters);
      },
    };
    const sink = await open({ table: 'told' }, killed);
    await expect(send(sink, 1, 1, 'x')).rejects.toThrow('killed');
    const again = await open({ table: 'told' }, context);
    expect(again.through).toBe(1);
    expect(context.deadLetters.map(({ row }) => row.ordinal)).toEqual([1]);
    expect(await numbers('data.told')).toEqual([1]);
  });

  it('P7: a connection that is cut is made again and no row is lost or repeated', async () => {
    const context = memorySinkContext('/');
    const sink = await open({ table: 'cut' }, context);
    for (let i = 1; i <= 10; i++) {
      const sending = send(sink, i, i);
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace sink'`,
      );
      await sending;
    }
    expect(await numbers('data.cut')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('P7: while the server is killed and comes back, the sink waits', async () => {
    const { context } = await database.newSink();
    await database.store.query('create schema if not exists data');
    const sink = await open({ table: 'waits' }, context);
    await send(sink, 1, 1);
    other.on('error', () => {});
    await vi.waitFor(() => process.kill(database.store.serverPid() as number, 'SIGKILL'), 10_000);
    const sending = send(sink, 2, 2);
    await sending;
    // The backends of a killed server live on for a moment; a new connection shows that it is back.
    await vi.waitFor(
      async () => {
        await database.store.query('select 1');
        other = new pg.Client(url);
        await other.connect();
      },
      { timeout: 20_000 },
    );
    await send(sink, 3, 3);
    expect(await numbers('data.waits')).toEqual([1, 2, 3]);
  });

  it('P7: without the right to a mark table it says what a crash does', async () => {
    const guest = await database.otherUrl('shop', 'guest');
    const byId = { id: { from: 'id' }, n: { from: 'value', type: 'bigint' } };
    const context = memorySinkContext('/');
    const config = { table: 'loose.rows', mode: 'upsert', key: ['id'], columns: byId, url: guest };
    const sink = await open(config, context);
    expect(context.messages).toEqual([
      expect.stringContaining('some rows are written again, onto themselves'),
    ]);
    context.failNext = new Error('killed');
    await expect(send(sink, 1, 1, 2)).rejects.toThrow('killed');
    const again = await open(config, context);
    await send(again, 1, 1, 2);
    expect(await numbers('loose.rows')).toEqual([1, 2]);
    const plain = memorySinkContext('/');
    await send(await open({ table: 'loose.plain', url: guest }, plain), 1, 7);
    expect(plain.messages).toEqual([expect.stringContaining('(at least once)')]);
  });

  it('a URL that leads nowhere is told with a remedy, and its password is not', async () => {
    const context = memorySinkContext('/');
    const secret = { ...context, secret: async () => 'postgres://me:hidden@localhost:1/shop' };
    const opening = open({ table: 't', url: { secret: 'shop' } }, secret);
    await expect(opening).rejects.toThrow(/could not open its table "data"\."t": .* Start that server/);
    await expect(opening).rejects.not.toThrow(/hidden/);
    await expect(open({ table: 't', url: 'http://x' }, context)).rejects.toThrow('starts with postgres://');
    const nowhere = await database.otherUrl('nowhere');
    await expect(open({ table: 't', url: nowhere }, context)).rejects.toThrow('Create the database');
    expect(connectorContext('/').nodeName).toBe('flights');
  });
});
