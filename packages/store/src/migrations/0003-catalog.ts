/**
 * The catalog: what a workspace calls its pipelines, their drafts, and what is known of their versions. A
 * pipeline's row in `millrace.pipelines` (its log, pages, leases) is made with its first version; a draft alone
 * costs no tables. Folders are bytes, not text or json: code may hold U+0000.
 */
export const SQL = `
create table millrace.catalog_entries (
  id text primary key check (octet_length(id) between 3 and 64),
  workspace text not null,
  name text not null check (octet_length(name) between 1 and 4000),
  -- Folded for sorting and for search, so that neither depends on the locale of the database.
  name_key text collate "C" not null,
  description text not null default '',
  tags text[] not null default '{}',
  search_text text not null,
  revision int8 not null default 1,
  -- The sample it was made from.
  sample text,
  read_only boolean not null default false,
  -- Folder under the workspace's files that relative paths in its settings start from.
  root text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_by text not null,
  updated_at timestamptz not null default now(),
  deleted_by text,
  deleted_at timestamptz
);
create index on millrace.catalog_entries (workspace, deleted_at);
create index on millrace.catalog_entries (deleted_at) where deleted_at is not null;

create table millrace.drafts (
  pipeline text primary key references millrace.catalog_entries (id) on delete cascade,
  revision int8 not null,
  hash text not null,
  files bytea not null,
  search_text text not null,
  -- The version it was last equal to: the parent of the next one.
  base_version int4,
  updated_by text not null,
  updated_at timestamptz not null default now()
);

alter table millrace.versions add column message text not null default '';
alter table millrace.versions add column author text;
alter table millrace.versions add column parent int4;
alter table millrace.versions add column compiler_version text;

create function millrace.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never changed', tg_table_name;
end $$;
create trigger immutable before update on millrace.versions
  for each row execute function millrace.refuse_change();

-- Outlives the pipeline: a sample that was deleted does not come back.
create table millrace.seeded_samples (
  workspace text not null,
  sample text not null,
  pipeline text not null,
  content_hash text not null,
  seeded_at timestamptz not null default now(),
  primary key (workspace, sample)
);
`;
