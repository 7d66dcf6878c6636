/**
 * The tables of the engine. `external` storage keeps blobs out of line and uncompressed: the compressor would
 * cost more than the disk. Text that a pipeline chose may hold U+0000, which `text` refuses: such values are
 * bytes or `json` (whose escapes keep it).
 */
export const SQL = `
create table millrace.pipelines (
  number int4 primary key generated always as identity,
  id text not null unique check (octet_length(id) between 1 and 1024),
  current_segment int4 not null default 0 check (current_segment between 0 and 3),
  -- Highest position of segments that were truncated; positions are never given twice.
  released_position int8 not null default 0,
  folded_through int8 not null default 0,
  current_version int4,
  created_at timestamptz not null default now()
);

-- Slot -1 is the host's lease; 0, 1, … are its workers'.
create table millrace.leases (
  pipeline int4 not null references millrace.pipelines (number),
  slot int4 not null check (slot >= -1),
  sequencer int8 not null,
  primary key (pipeline, slot)
);

-- Four segments per pipeline, numbered 4 * pipeline + 0..3, made with the pipeline's row.
create table millrace.bundles (
  segment int4 not null,
  slot int4 not null,
  sequencer int8 not null,
  bundle_number int8 not null,
  position int8 not null,
  body bytea not null,
  primary key (slot, sequencer, bundle_number, segment)
) partition by list (segment);
alter table millrace.bundles alter column body set storage external;
create index on millrace.bundles (position);

create table millrace.pages (
  pipeline int4 not null references millrace.pipelines (number),
  space int8 not null,
  start bytea not null,
  -- A page may start at a key longer than an index entry may be.
  start_key bytea not null generated always as (
    case when octet_length(start) <= 1024 then start else substring(start for 993) || sha256(start) end
  ) stored,
  body bytea not null,
  position int8 not null,
  primary key (pipeline, space, start_key)
) with (
  autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.1, toast.autovacuum_vacuum_cost_delay = 0
);
alter table millrace.pages alter column body set storage external;
alter table millrace.pages alter column start set storage main;
alter table millrace.pages alter column start_key set storage main;

create table millrace.dead_letters (
  pipeline int4 not null references millrace.pipelines (number),
  id_hash bytea not null,
  number int8 generated always as identity,
  node text not null,
  detail json not null,
  recorded_at timestamptz not null default now(),
  primary key (pipeline, id_hash)
);
create index on millrace.dead_letters (pipeline, number);

create table millrace.undelivered (
  pipeline int4 not null references millrace.pipelines (number),
  position int8 not null,
  ordinal int8 not null,
  body bytea not null,
  primary key (pipeline, position, ordinal)
);
alter table millrace.undelivered alter column body set storage external;

create table millrace.versions (
  pipeline int4 not null references millrace.pipelines (number),
  number int4 not null,
  content_hash bytea not null,
  hash bytea not null,
  folder bytea not null,
  plan bytea not null,
  bundle bytea not null,
  sdk_version bytea not null,
  created_at timestamptz not null default now(),
  primary key (pipeline, number),
  unique (pipeline, content_hash)
);
alter table millrace.pipelines
  add foreign key (number, current_version) references millrace.versions (pipeline, number);

create table millrace.sink_marks (
  pipeline int4 not null references millrace.pipelines (number),
  node text not null,
  through int8 not null,
  detail json not null,
  -- Which call wrote it: settles a commit whose answer was lost.
  written_by uuid not null,
  primary key (pipeline, node)
);
`;
