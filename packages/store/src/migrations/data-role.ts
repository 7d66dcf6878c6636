/**
 * Role `millrace_data`: what sinks act as. It owns nothing of ours and may use schema `data` only.
 *
 * The role is looked at before it is trusted: one that somebody made stronger, or gave another role's rights, is no
 * wall. Where it cannot be had, `millrace run` writes with the rights of the connection; a server writes nothing.
 */
import type pg from 'pg';

export type DataRole = { readonly kind: 'ready' } | { readonly kind: 'off'; readonly reason: string };

const ROLE_LOCK = 0x4d4c5245;

const MAKE_ROLE = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'millrace_data') then
    create role millrace_data nologin nosuperuser noinherit nocreatedb nocreaterole noreplication nobypassrls;
  end if;
end $$`;

const JOIN_ROLE = `
do $$ begin
  if not pg_has_role(current_user, 'millrace_data', 'member') then
    execute format('grant millrace_data to %I', current_user);
  end if;
end $$`;

const LOOK_AT_ROLE = `
select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as strong,
       (select string_agg(quote_ident(g.rolname), ', ') from pg_auth_members m join pg_roles g on g.oid = m.roleid
         where m.member = r.oid) as groups
  from pg_roles r where rolname = 'millrace_data'`;

/** As the role itself. */
const REACHES_OURS = `select has_schema_privilege('millrace', 'usage') as reaches`;

const GRANTS: readonly string[] = [
  'grant usage, create on schema data to millrace_data',
  'revoke all on schema millrace from public, millrace_data',
];

/** A database that is all ours has no other users whom this could hinder. */
const OWN_DATABASE: readonly string[] = [
  'revoke all on schema public from public, millrace_data',
  `do $$ begin
     execute format('revoke create, temporary on database %I from public, millrace_data', current_database());
   end $$`,
];

export async function ensureDataRole(
  client: pg.Client,
  { isOurs }: { readonly isOurs: boolean },
): Promise<DataRole> {
  await client.query('create schema if not exists data').catch(() => undefined);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ROLE_LOCK]);
    const fault = await prepare(client, isOurs);
    if (fault === undefined) {
      await client.query('commit');
      return { kind: 'ready' };
    }
    await client.query('rollback');
    return off(fault);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    return off((error as Error).message);
  }
}

/** Why the role is no wall; undefined when it is one. */
async function prepare(client: pg.Client, isOurs: boolean): Promise<string | undefined> {
  await client.query(MAKE_ROLE);
  const { rows } = await client.query<{ strong: boolean; groups: string | null }>(LOOK_AT_ROLE);
  const role = rows[0];
  if (role?.strong !== false)
    return 'it has rights over the whole server, such as superuser; take them from it';
  if (role.groups !== null) return `it is a member of ${role.groups}; revoke that`;
  for (const step of [JOIN_ROLE, ...GRANTS, ...(isOurs ? OWN_DATABASE : [])]) await client.query(step);
  await client.query('set local role millrace_data');
  const reached = await client.query<{ reaches: boolean }>(REACHES_OURS);
  await client.query('reset role');
  return reached.rows[0]?.reaches === false ? undefined : 'it may use the schema millrace; revoke that';
}

function off(why: string): DataRole {
  return {
    kind: 'off',
    reason: `Role millrace_data is not available (${why}); sinks write with the rights of the database user.`,
  };
}
