/** How often an input that is a dead letter was tried again: its row goes with each try and comes back if it fails. */
export const SQL = `
create table millrace.redriven_letters (
  pipeline int4 not null references millrace.pipelines (number),
  id_hash bytea not null,
  times int4 not null,
  last_at timestamptz not null default now(),
  primary key (pipeline, id_hash)
);
`;
