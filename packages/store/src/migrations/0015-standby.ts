/**
 * Of several servers on one database one leads: who it is, and which are there. The sequencer of the lease is the
 * term under which everything is written; a claim gives a new one.
 */
export const SQL = `
-- A run of a server, for as long as its session is there.
create table millrace.servers (
  number int4 primary key generated always as identity,
  address text not null,
  host_name text not null,
  pid int4 not null,
  -- Its session: with its start a pid of Postgres names one for ever.
  backend int4 not null,
  backend_started timestamptz not null,
  started_at timestamptz not null default now()
);

create table millrace.server_lease (
  one boolean primary key default true check (one),
  sequencer int8 not null default 0,
  -- Counted by whoever leads. Others watch whether it moves, each by its own clock; no times are compared.
  beat int8 not null default 0,
  -- Of millrace.servers; null: given back.
  holder int4,
  since timestamptz not null default now()
) with (fillfactor = 10);
insert into millrace.server_lease default values;
`;
