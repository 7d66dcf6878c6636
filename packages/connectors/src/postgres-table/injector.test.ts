import type { ConnectorContext, SourceChunk } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { connectorContext, tempFolder } from '../../test/contexts.ts';
import { testDatabase } from '../../test/database.ts';
import { connectors } from '../index.ts';

const database = testDatabase();

async function contextOf(more: Partial<ConnectorContext> = {}) {
  const messages: string[] = [];
  const context: ConnectorContext = {
    ...connectorContext(await tempFolder()),
    nodeName: 'airlines',
    ownDatabase: () => database.store.ownDatabase(context),
    log: (message) => void messages.push(message),
    ...more,
  };
  return { context, messages };
}

/** The lines of one reading. */
async function read(config: object, context: ConnectorContext): Promise<string[]> {
  const injector = await connectors.injector('injector/postgres-table')!.open({ ...config }, context);
  const abort = new AbortController();
  const text: Uint8Array[] = [];
  try {
    for await (const chunk of injector.partitions[0]!.read(0, abort.signal) as AsyncIterable<SourceChunk>)
      if (chunk.kind === 'bytes') text.push(chunk.bytes);
    return Buffer.concat(text).toString().split('\n').slice(0, -1);
  } finally {
    await injector.close();
  }
}

describe('injector/postgres-table', () => {
  it('reads all rows as one moment has them, exact numbers and all', async () => {
    await database.store.query(
      `create table data.airlines (code text, "no ""1""" bigint, doc json, at timestamptz)`,
    );
    await database.store.query(
      `insert into data.airlines select 'a' || n, 9007199254740993, E'{"x":\n[1,2]}', '2026-01-02' from generate_series(1, 1201) n`,
    );
    await database.store.query('grant select on data.airlines to millrace_data');
    const { context } = await contextOf();
    const lines = await read({ table: 'airlines' }, context);
    expect(lines).toHaveLength(1201);
    expect(lines[0]).toMatch(
      /^\{"code":"a1","no \\"1\\"":9007199254740993,"doc":\{"x": \[1,2\]\},"at":"2026-01-02T00:00:00\+00:00"\}$/,
    );
    expect(await read({ table: 'airlines', columns: ['no "1"'] }, context)).toContain(
      '{"no \\"1\\"":9007199254740993}',
    );
  });

  it('reads an other database with a secret, and keeps it to itself', async () => {
    await database.store.query(`create table public.small as select 1 as n`);
    const url = await database.otherUrl('postgres');
    const { context } = await contextOf({ secret: async () => url });
    const config = { table: 'public.small', url: { secret: 'db' } };
    expect(await read(config, context)).toEqual(['{"n":1}']);
    const { context: wrong } = await contextOf({
      secret: async () => url.replace('/postgres?', '/hunter2-db?'),
    });
    await expect(read(config, wrong)).rejects.toThrow(/Create the database/);
    await expect(read(config, wrong)).rejects.not.toThrow(/hunter2-db\?/);
  });

  it('says what is wrong with a table that is not there, or not for it', async () => {
    const { context } = await contextOf();
    await expect(read({ table: 'nothing' }, context)).rejects.toThrow(
      /Node "airlines" could not read its table nothing: .*without a schema in front it is looked for in schema "data"/,
    );
    await expect(read({ table: 'airlines', columns: ['nothing'] }, context)).rejects.toThrow(
      /Correct the columns/,
    );
    await expect(read({ table: 'millrace.pipelines' }, context)).rejects.toThrow(/for Millrace itself/);
  });

  it('N6: in our own database it has the rights of sinks and no more', async () => {
    await database.store.query('create table public.other as select 1 as n');
    const { context } = await contextOf();
    await expect(read({ table: 'public.other' }, context)).rejects.toThrow(/Grant the role millrace_data/);
  });

  it('behind the walls of a server it does not reach what is private', async () => {
    const { context } = await contextOf({ walls: { folders: [], own: undefined, hosts: [] } });
    await expect(read({ table: 'small', url: 'postgres://me@127.0.0.1:1/x' }, context)).rejects.toThrow(
      /127\.0\.0\.1/,
    );
  });

  it('waits for a database that is away, says so once, and stops when it is told to', async () => {
    const { context, messages } = await contextOf();
    const config = { table: 'public.small', url: 'postgres://me@127.0.0.1:1/x', refresh: '100ms' };
    const injector = await connectors.injector('injector/postgres-table')!.open(config, context);
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of injector.partitions[0]!.read(0, abort.signal));
    })();
    await expect.poll(() => messages).toHaveLength(1);
    expect(messages[0]).toMatch(/Node "airlines": the table public\.small cannot be read now .*ECONNREFUSED/);
    abort.abort();
    await reading;
    await injector.close();
  });
});
