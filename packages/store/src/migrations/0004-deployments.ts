/**
 * What should run, what does run, who deployed what, and the numbers of the last days. `desired` and what belongs
 * to it is written by the server, `observed` by the engine host; neither touches the other's columns.
 */
export const SQL = `
-- An engine host claims the deployments under its number; a higher number fences it.
create table millrace.engine_hosts (
  number int4 primary key generated always as identity,
  pid int4 not null,
  host_name text not null,
  -- As the system tells it: with the pid it names one process for ever.
  process_started text not null,
  started_at timestamptz not null default now()
);

create table millrace.deployments (
  pipeline text primary key,
  workspace text not null,
  -- Of millrace.versions.
  version int4 not null,
  desired text not null check (desired in ('running', 'paused', 'stopped')),
  -- Of a stop: end at once instead of finishing what is in flight.
  abandon boolean not null default false,
  workers int4 not null default 1 check (workers between 1 and 64),
  -- The version the agreed plan was made against, and the nodes whose state may go.
  planned_from int4,
  drop_state text[] not null default '{}',
  -- Root of relative paths; null: the workspace's own folder.
  folder text,
  -- Every change of what is desired gives a new one.
  revision int8 not null default 1,
  changed_at timestamptz not null default now(),
  host int4,
  observed text not null default 'stopped'
    check (observed in ('starting', 'running', 'paused', 'draining', 'stopped', 'ended', 'failed')),
  reason text,
  observed_version int4,
  observed_revision int8 not null default 0,
  observed_at timestamptz not null default now(),
  retry_at timestamptz,
  started_at timestamptz,
  -- Engine hosts that ended while this pipeline was starting, in a row.
  start_crashes int4 not null default 0
);
create index on millrace.deployments (workspace);

create table millrace.deploys (
  pipeline text not null references millrace.deployments (pipeline) on delete cascade,
  number int4 not null,
  version int4 not null,
  previous int4,
  actor text not null,
  message text not null default '',
  dropped text[] not null default '{}',
  deployed_at timestamptz not null default now(),
  primary key (pipeline, number)
);

-- One compressed blob of columns per deployment and span: 10 s of samples, or a minute of min, max, sum.
create table millrace.metrics (
  pipeline text not null,
  resolution int4 not null check (resolution in (10, 60)),
  starts_at timestamptz not null,
  body bytea not null,
  primary key (pipeline, resolution, starts_at)
);
alter table millrace.metrics alter column body set storage external;
create index on millrace.metrics (starts_at);
`;
