/** $1 pipeline, $2 sequencer. A row when the lease is ours; it then stays so until the transaction ends (P6). */
export const HOLD_HOST_LEASE = `
select slot from millrace.leases
 where pipeline = $1::int4 and slot = -1 and sequencer = $2::int8
   for share`;
