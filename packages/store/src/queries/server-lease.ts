/** $1 term. No row: it is over. */
export const CURRENT_TERM = `select 1 from millrace.server_lease where sequencer = $1::int8`;

/** $1 address, $2 name of the machine, $3 pid. */
export const JOIN_SERVERS = `
insert into millrace.servers (address, host_name, pid, backend, backend_started)
select $1, $2, $3::int4, pid, backend_start from pg_stat_activity where pid = pg_backend_pid()
returning number`;

/** Whether a server's session is there. */
const IS_HERE = `exists (
  select from pg_stat_activity a where a.pid = s.backend and a.backend_start = s.backend_started)`;

export const LOOK_AT_LEASE = `
select l.sequencer::float8 as sequencer, l.beat::float8 as beat, s.number, s.address, ${IS_HERE} as here
  from millrace.server_lease l left join millrace.servers s on s.number = l.holder`;

/** $1 number of this server, $2 sequencer and $3 beat that were seen: of two that claim one comes second. */
export const CLAIM_LEASE = `
update millrace.server_lease set sequencer = sequencer + 1, beat = 0, holder = $1::int4, since = now()
 where sequencer = $2::int8 and beat = $3::int8
returning sequencer::float8 as sequencer`;

/** $1 sequencer, $2 number of this server, which is another one with another session. */
export const BEAT = `
update millrace.server_lease set beat = beat + 1, holder = $2::int4 where sequencer = $1::int8`;

/** $1 sequencer. */
export const GIVE_LEASE_BACK = `update millrace.server_lease set holder = null where sequencer = $1::int8`;

/** $1 term: ends what belongs to an older one. A row each, until it is gone. */
export const END_OLDER_TERMS = `
select pg_terminate_backend(a.pid)
  from pg_stat_activity a
 where a.datname = current_database() and a.usename = current_user
   and a.application_name ~ '^millrace/[0-9]+ '
   and substring(a.application_name from '^millrace/([0-9]+) ')::int8 < $1::int8`;

export const LIST_SERVERS = `
select s.address, s.started_at, s.number = l.holder as leads, l.since
  from millrace.servers s cross join millrace.server_lease l
 where ${IS_HERE}
 order by leads desc nulls last, s.number`;

/** Left behind by servers that were killed; the holder's name is kept as long as it is one. */
export const FORGET_SERVERS = `
delete from millrace.servers s
 where not ${IS_HERE} and not exists (select from millrace.server_lease l where l.holder = s.number)`;
