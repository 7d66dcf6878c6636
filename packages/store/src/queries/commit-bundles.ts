import { leafName, segmentNumber } from './leaf.ts';

/**
 * Appends `count` bundles in one statement and returns the positions that were inserted. Parameters: pipeline,
 * then slot, sequencer, bundle number, position, body of each. The lease rows are locked `for share` until the
 * commit is durable, so a claim (which updates them first) waits for it, and this waits for a claim and then
 * sees its sequencer (P6). `locked: false` is the negative control of the crash sweep.
 */
export function commitBundles(pipeline: number, segment: number, count: number, locked: boolean): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const at = 2 + i * 5;
    return `($${at}::int4, $${at + 1}::int8, $${at + 2}::int8, $${at + 3}::int8, $${at + 4}::bytea)`;
  });
  return `
with given (slot, sequencer, bundle_number, position, body) as (values ${rows.join(', ')}),
held as ${locked ? '' : 'materialized '}(
  select l.slot, l.sequencer
    from millrace.leases l
   where l.pipeline = $1::int4
     and exists (select from given g where g.slot = l.slot and g.sequencer = l.sequencer)
   order by l.slot
   ${locked ? 'for share of l' : ''}
)
insert into ${leafName(pipeline, segment)} (segment, slot, sequencer, bundle_number, position, body)
select ${segmentNumber(pipeline, segment)}, slot, sequencer, bundle_number, position, body
  from given join held using (slot, sequencer)
on conflict do nothing
returning position`;
}
