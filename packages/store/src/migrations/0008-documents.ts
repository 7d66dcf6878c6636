/**
 * Drafts as shared documents: updates in order, whose edits each client id stands for, and what everybody may take
 * back. The folder in `millrace.drafts` follows them; `folder_position` says how far it has.
 */
export const SQL = `
create table millrace.documents (
  pipeline text primary key references millrace.catalog_entries (id) on delete cascade,
  -- Each document of the same draft has a larger one: ids of characters mean nothing in another.
  epoch int4 not null,
  -- Updates up to this one are in the draft's folder, which was then of this revision.
  folder_position int8 not null,
  folder_revision int8 not null
);

create table millrace.document_updates (
  pipeline text not null references millrace.documents (pipeline) on delete cascade,
  position int8 not null,
  bytes bytea not null,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (pipeline, position)
);

create table millrace.document_clients (
  pipeline text not null references millrace.documents (pipeline) on delete cascade,
  client int8 not null,
  account text not null,
  issued_at timestamptz not null default now(),
  primary key (pipeline, client)
);

create table millrace.document_histories (
  pipeline text not null references millrace.catalog_entries (id) on delete cascade,
  account text not null,
  revision int8 not null,
  -- JSON as bytes: typed text may hold U+0000.
  history bytea not null,
  primary key (pipeline, account)
);
`;
