const COLUMNS = `d.pipeline, d.workspace, d.version, d.desired, d.abandon, d.workers, d.planned_from, d.drop_state, d.folder,
 d.revision, d.changed_at, d.observed, d.reason, d.observed_version, d.observed_revision, d.observed_at, d.retry_at,
 d.started_at, d.start_crashes`;

/** $1 pipeline. */
export const GET_DEPLOYMENT = `select ${COLUMNS} from millrace.deployments d where d.pipeline = $1`;

/** $1 workspace. */
export const LIST_DEPLOYMENTS = `
select ${COLUMNS} from millrace.deployments d where d.workspace = $1 order by d.pipeline`;

export const ALL_DEPLOYMENTS = `select ${COLUMNS} from millrace.deployments d order by d.pipeline`;

/** $1 pipeline: a deploy and a stop of one pipeline come one after the other. */
export const LOCK_DEPLOYMENT = `select ${COLUMNS} from millrace.deployments d where d.pipeline = $1 for update`;

/**
 * $1 pipeline. Before the deployment, in the order in which a deletion locks: of the two one comes second and sees
 * the other.
 */
export const HOLD_CATALOG_ENTRY = `
select deleted_at is not null as deleted from millrace.catalog_entries where id = $1 for share`;

/** $1 pipeline, $2 workspace, $3 version, $4 desired, $5 workers, $6 planned from, $7 nodes whose state may go, $8 folder. */
export const UPSERT_DEPLOYMENT = `
insert into millrace.deployments as d (pipeline, workspace, version, desired, workers, planned_from, drop_state, folder)
values ($1, $2, $3::int4, $4, $5::int4, $6::int4, $7::text[], $8)
on conflict (pipeline) do update
   set version = excluded.version, desired = excluded.desired, abandon = false, workers = excluded.workers,
       planned_from = excluded.planned_from, drop_state = excluded.drop_state, folder = excluded.folder,
       revision = d.revision + 1, changed_at = now(), start_crashes = 0
returning ${COLUMNS}`;

/** $1 pipeline, $2 version, $3 previous version, $4 actor, $5 message, $6 nodes whose state may go. */
export const INSERT_DEPLOY = `
insert into millrace.deploys (pipeline, number, version, previous, actor, message, dropped)
select $1, coalesce(max(number), 0) + 1, $2::int4, $3::int4, $4, $5, $6::text[]
  from millrace.deploys where pipeline = $1`;

/** $1 pipeline, $2 desired, $3 abandon. Whoever sets it by hand also ends a quarantine. */
export const SET_DESIRED = `
update millrace.deployments d
   set desired = $2, abandon = $3, revision = d.revision + 1, changed_at = now(), start_crashes = 0
 where d.pipeline = $1
returning ${COLUMNS}`;

/** $1 pipeline, $2 workers. */
export const SET_WORKERS = `
update millrace.deployments d
   set workers = $2::int4, revision = d.revision + 1, changed_at = now(), start_crashes = 0
 where d.pipeline = $1
returning ${COLUMNS}`;

/** Every pipeline that should run is paused until somebody resumes it. */
export const PAUSE_ALL = `
update millrace.deployments
   set desired = 'paused', revision = revision + 1, changed_at = now(), start_crashes = 0
 where desired = 'running'
returning pipeline`;

/** $1 pipeline, $2 before this number, $3 at most. */
export const DEPLOY_HISTORY = `
select number, version, previous, actor, message, dropped, deployed_at
  from millrace.deploys
 where pipeline = $1 and number < $2::int8
 order by number desc limit $3::int4`;

/** $1 pipeline. */
export const DELETE_DEPLOYMENT = `delete from millrace.deployments where pipeline = $1`;

/** $1 pid, $2 name of the machine, $3 start of the process. */
export const INSERT_HOST = `
insert into millrace.engine_hosts (pid, host_name, process_started) values ($1::int4, $2, $3) returning number`;

/** $1 number of this host. */
export const OLDER_HOSTS = `
select number, pid, host_name, process_started from millrace.engine_hosts where number < $1::int4 order by number`;

/** $1 numbers of hosts that have ended. */
export const DELETE_HOSTS = `delete from millrace.engine_hosts where number = any ($1::int4[])`;

/**
 * $1 number of this host. A pipeline that was starting, or started for dead letters, when its host ended is counted: the
 * third time it is left alone. The lock of every row fences what older hosts are about to observe.
 */
export const CLAIM_DEPLOYMENTS = `
update millrace.deployments d
   set host = $1::int4,
       start_crashes = d.start_crashes + case when d.observed in ('starting', 'redriving') then 1 else 0 end,
       observed = case when d.observed = 'starting' then 'stopped' else d.observed end
 where d.host is null or d.host < $1::int4
returning ${COLUMNS}`;

/** $1 pipeline, $2 host, $3 state, $4 reason, $5 version, $6 revision, $7 when, $8 when it is tried again. */
export const OBSERVE = `
update millrace.deployments d
   set host = $2::int4, observed = $3, reason = $4, observed_version = coalesce($5::int4, d.observed_version),
       observed_revision = $6::int8, observed_at = $7::timestamptz, retry_at = $8::timestamptz,
       started_at = case when $3 = 'starting' then $7::timestamptz else d.started_at end,
       start_crashes = case when $3 in ('running', 'paused', 'ended') or (d.observed = 'redriving' and $3 = 'stopped')
                             then 0 else d.start_crashes end
 where d.pipeline = $1 and (d.host is null or d.host <= $2::int4)`;
