export const LIST_SECRETS = `
select name, version::text as version, updated_at, updated_by
  from millrace.secrets where workspace = $1 order by name collate "C"`;

export const NEXT_SECRET_VERSION = `select nextval('millrace.secret_versions')::text as version`;

/** Of two at once the one with the later number stays. */
export const PUT_SECRET = `
insert into millrace.secrets as s (workspace, name, version, key_id, nonce, sealed, updated_by)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (workspace, name) do update set
  version = excluded.version, key_id = excluded.key_id, nonce = excluded.nonce, sealed = excluded.sealed,
  updated_at = now(), updated_by = excluded.updated_by
where s.version < excluded.version`;

export const GET_SECRET = `
select version::text as version, key_id, nonce, sealed from millrace.secrets where workspace = $1 and name = $2`;

export const DELETE_SECRET = 'delete from millrace.secrets where workspace = $1 and name = $2';

export const SECRETS_OF_OTHER_KEYS = `
select workspace, name, version::text as version, key_id, nonce, sealed
  from millrace.secrets where key_id <> $1 order by workspace, name`;

/** The version stays, since the value does; a secret that was written meanwhile is left alone. */
export const RESEAL_SECRET = `
update millrace.secrets set key_id = $4, nonce = $5, sealed = $6
 where workspace = $1 and name = $2 and version = $3`;

/** Plans of the versions that are deployed in a workspace: their settings name secrets. */
export const DEPLOYED_PLANS = `
select d.pipeline, coalesce(e.name, d.pipeline) as name, v.plan
  from millrace.deployments d
  left join millrace.catalog_entries e on e.id = d.pipeline
  join millrace.pipelines p on p.id = d.pipeline
  join millrace.versions v on v.pipeline = p.number and v.number = d.version
 where d.workspace = $1 order by d.pipeline`;
