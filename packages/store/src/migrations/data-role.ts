/**
 * Role `millrace_data`: what sinks act as. It owns nothing of ours and may use schema `data` only. On a server
 * where this user may not make it, sinks write with the rights of the connection, and the reason is shown.
 */
import type pg from 'pg';

export type DataRole = { readonly kind: 'ready' } | { readonly kind: 'off'; readonly reason: string };

const STEPS: readonly string[] = [
  `do $$ begin
     if not exists (select from pg_roles where rolname = 'millrace_data') then
       create role millrace_data nologin nosuperuser noinherit;
     end if;
   end $$`,
  `do $$ begin
     if not pg_has_role(current_user, 'millrace_data', 'member') then
       execute format('grant millrace_data to %I', current_user);
     end if;
   end $$`,
  'grant usage, create on schema data to millrace_data',
  'set local role millrace_data',
  'reset role',
];

export async function ensureDataRole(client: pg.Client): Promise<DataRole> {
  await client.query('create schema if not exists data').catch(() => undefined);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [0x4d4c5245]);
    for (const step of STEPS) await client.query(step);
    await client.query('commit');
    return { kind: 'ready' };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    return {
      kind: 'off',
      reason: `Role millrace_data is not available (${(error as Error).message}); sinks write with the rights of the database user.`,
    };
  }
}
