/**
 * $1 pipeline. Every lease of the pipeline gets a new sequencer, host first, in the order in which commits lock
 * them; this waits for commits in flight and fences all that come after.
 */
export const LOCK_LEASES = `
select slot from millrace.leases where pipeline = $1::int4 order by slot for update`;

export const INSERT_HOST_LEASE = `
insert into millrace.leases (pipeline, slot, sequencer) values ($1::int4, -1, 0) on conflict do nothing`;

export const CLAIM_ALL = `
update millrace.leases set sequencer = sequencer + 1 where pipeline = $1::int4 returning slot, sequencer`;
