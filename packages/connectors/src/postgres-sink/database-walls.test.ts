/**
 * What Postgres itself refuses a sink. Targets are made here, past the checks of the settings, and statements are
 * sent by the functions a sink uses; so what stops them is the role's rights.
 */
import type { SqlClient } from '@millrace/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { sinkRow } from '../../test/contexts.ts';
import { testDatabase } from '../../test/database.ts';
import { COLUMN_TYPES, parseTable, quoteIdentifier } from './identifiers.ts';
import { postgresSink } from './sink.ts';
import { insertStatement } from './statement.ts';
import { createStatement } from './table.ts';
import type { Target } from './target.ts';
import { findRefused, writeRows } from './write-rows.ts';

const database = testDatabase();
const row = sinkRow(1, 0, JSON.stringify({ key: 'k', value: 'x', timestamp: 0 }));

beforeAll(async () => {
  await database.store.query(`
    create table public.open (key text); grant all on public.open to public;
    create schema other; create table other.rows (key text);
    create table data.admins (key text);
    create view data.through as select name as key from millrace.migrations;
    create sequence data.counter;
    create schema "MILLRACE"; create table "MILLRACE".rows (key text)`);
});

const targetOf = (schema: string, table: string, column = 'key'): Target => ({
  ...{ schema, table, sqlName: `${quoteIdentifier(schema)}.${quoteIdentifier(table)}` },
  columns: [{ name: column, from: 'key', type: 'text' }],
  key: [],
});

/** Runs it as a sink's write; the code of the error, or what it answered. */
async function asSink(write: (sql: SqlClient) => Promise<unknown>): Promise<unknown> {
  const { context } = await database.newSink();
  let answer: unknown = 'written';
  try {
    await context.commit({ through: 1, detail: {} }, [], async (sql) => {
      const result = (await write(sql)) as { rows?: unknown } | undefined;
      answer = result?.rows ?? answer;
    });
    return answer;
  } catch (error) {
    return (error as { code?: unknown }).code ?? String(error);
  }
}

const NO_RIGHT = '42501';

describe('a sink whose table is not its own is refused by Postgres', () => {
  it.each([
    ...[['millrace', 'accounts', 'email'] as const, ['millrace', 'sink_marks', 'node'] as const],
    ...[['millrace', 'secrets', 'name'] as const, ['millrace', 'audit_events', 'action'] as const],
    ...[['pg_catalog', 'pg_class', 'relname'] as const, ['pg_catalog', 'pg_authid', 'rolname'] as const],
    ...[['public', 'open', 'key'] as const, ['other', 'rows', 'key'] as const],
    ...[['data', 'admins', 'key'] as const, ['data', 'through', 'key'] as const],
    ...[['information_schema', 'sql_features', 'feature_id'] as const, ['MILLRACE', 'rows', 'key'] as const],
  ])('P7: writing to %s.%s', async (schema, table, column) => {
    const target = targetOf(schema, table, column);
    expect(await asSink((sql) => writeRows(sql, target, [row]))).toBe(NO_RIGHT);
    expect(await asSink((sql) => findRefused(sql, target, [row]))).toBe(NO_RIGHT);
    // Without a unique index, or on a table of Postgres, an upsert is no statement at all.
    const upsert = { ...target, key: target.columns };
    expect(await asSink((sql) => sql.query(insertStatement(upsert), ['[]']))).toBeOneOf([
      ...[NO_RIGHT, '42P10', '0A000'],
    ]);
  });

  it.each(['millrace', 'pg_catalog', 'public', 'other', 'MILLRACE', 'information_schema'])(
    'P7: making a table in %s',
    async (schema) => {
      expect(await asSink((sql) => sql.query(createStatement(targetOf(schema, 'mine'))))).toBe(NO_RIGHT);
    },
  );

  it.each(['pg_toast', 'nothing', 'millrace ', 'Millrace', 'millrace\u200b', 'data"."x', 'mıllrace'])(
    'P7: %j is no spelling of a schema that may be used',
    async (schema) => {
      const code = await asSink((sql) => sql.query(createStatement(targetOf(schema, 'mine'))));
      expect(code).toBeOneOf([NO_RIGHT, '3F000', '42602']);
    },
  );

  it('P7: a sequence takes no rows', async () => {
    const target = targetOf('data', 'counter', 'last_value');
    const sequence: Target = {
      ...target,
      columns: [{ name: 'last_value', from: 'timestamp', type: 'bigint' }],
    };
    expect(await asSink((sql) => writeRows(sql, sequence, [row]))).toBeOneOf([
      ...['42809', '55000', NO_RIGHT],
    ]);
  });

  it('control: its own table takes them', async () => {
    const target = targetOf('data', 'own rows');
    expect(await asSink((sql) => sql.query(createStatement(target)))).toEqual([]);
    expect(await asSink((sql) => writeRows(sql, target, [row]))).toBe('written');
    expect(await database.store.query('select key from data."own rows"')).toEqual([{ key: 'k' }]);
  });
});

describe('names in a sink’s settings stay names', () => {
  const tricks = [
    ...['x" (key text); drop schema millrace cascade; --', "x'); reset role; --", 'x"."accounts', '$1', '$$'],
    ...['x\\', "E'x\\'", '--', '/*', 'x";', '"', '""', "'", '%I', 'a.b', ' x ', 'x\n;reset role'],
  ];

  it.each(tricks)('P7: %j as table, column and place in the record', async (name) => {
    const target: Target = {
      ...targetOf('data', name, name),
      columns: [
        { name, from: 'key', type: 'text' },
        ...COLUMN_TYPES.map((type) => ({
          name: `${name.slice(0, 20)} ${type}`,
          from: `value.${name}`,
          type,
        })),
      ],
    };
    expect(await asSink((sql) => sql.query(createStatement(target)))).toEqual([]);
    expect(await asSink((sql) => writeRows(sql, target, [row]))).toBe('written');
    const found = await database.store.query(
      `select count(*)::int as n from pg_class c join pg_namespace s on s.oid = relnamespace
       where nspname = 'data' and relname = $1`,
      [name],
    );
    expect(found).toEqual([{ n: 1 }]);
    expect(await database.store.query('select count(*) > 0 as there from millrace.migrations')).toEqual([
      { there: true },
    ]);
  });

  it.each([
    ...[
      'millrace.accounts',
      '"millrace".accounts',
      '"millrace"."accounts"',
      'MILLRACE.accounts',
      'pg_catalog.x',
    ],
    ...['Pg_Temp.x', 'information_schema.x', 'a.b.c', 'millrace.', '.x', '', `"${'x'.repeat(64)}"`, 'x\0y'],
    ...['"a', 'a"b', `${'☃'.repeat(22)}`],
  ])('the settings refuse %j before Postgres is asked', async (table) => {
    const { context } = await database.newSink();
    await expect(postgresSink.open({ table }, context)).rejects.toThrow('read its settings');
    expect(table === '' || parseTable(table).kind === 'refused').toBe(true);
  });
});

describe('what a sink’s role may not do, whatever were sent', () => {
  it.each([
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_binary_file('/etc/passwd')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `copy data.copied from program 'id'`,
    `copy (select 1) to program 'id'`,
    `copy (select 1) to '/tmp/millrace-out'`,
    'create extension dblink',
    'create extension postgres_fdw',
    'create extension hstore',
    'alter system set fsync = off',
    'create role sneaky',
    'alter role millrace_data superuser',
    'create schema sneaky',
    'create database sneaky',
    'create temporary table sneaky (n int)',
    'grant usage on schema millrace to millrace_data',
    'drop schema millrace cascade',
    'select * from millrace.accounts',
    'select * from millrace.secrets',
    'select rolpassword from pg_authid',
    'create function data.c() returns int language c as $$x$$',
    'select pg_reload_conf()',
    `select set_config('session_preload_libraries', 'x', true)`,
    'security label on table data.admins is null',
  ])('%s', async (statement) => {
    await database.store.query('create table if not exists data.copied (line text)');
    await database.store.query('grant all on data.copied to millrace_data');
    expect(await asSink((sql) => sql.query(statement))).toBeOneOf([NO_RIGHT, '22023', '25001']);
  });

  it('no function that runs with its owner’s rights is there for it', async () => {
    const found = await database.store.query(
      `select p.oid::regprocedure::text as name from pg_proc p
        where prosecdef and has_function_privilege('millrace_data', p.oid, 'execute')
          and has_schema_privilege('millrace_data', p.pronamespace, 'usage')`,
    );
    expect(found).toEqual([]);
  });

  it('S2: what follows a sink’s write is done with our own rights and our own search path', async () => {
    const { context } = await database.newSink();
    await context.commit({ through: 1, detail: {} }, [], async (sql) => {
      const { rows } = await sql.query(
        `select current_user::text as role, current_setting('search_path') as path`,
      );
      expect(rows).toEqual([{ role: 'millrace_data', path: 'pg_catalog' }]);
      await sql.query(`select set_config('search_path', 'data', false)`);
    });
    expect((await context.mark())?.through).toBe(1);
    for (let i = 0; i < 12; i++) {
      expect(
        await database.store.query(
          `select current_user::text as role, current_setting('search_path') as path`,
        ),
      ).toEqual([{ role: 'millrace', path: 'pg_catalog' }]);
    }
  });
});
