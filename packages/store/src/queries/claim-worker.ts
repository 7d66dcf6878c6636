/** $1 pipeline, $2 slot. Updates first: that waits for commits in flight under the old sequencer (P6). */
export const CLAIM_WORKER = `
insert into millrace.leases as l (pipeline, slot, sequencer) values ($1::int4, $2::int4, 1)
on conflict (pipeline, slot) do update set sequencer = l.sequencer + 1
returning sequencer`;
