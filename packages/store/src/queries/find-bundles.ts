import { fromAllSegments } from './leaf.ts';

/** Which of the named bundles ($1 slots, $2 sequencers, $3 bundle numbers) are in the log. */
export function findBundles(pipeline: number): string {
  const select = (leaf: string) => `
select b.position from ${leaf} b
  join unnest($1::int4[], $2::int8[], $3::int8[]) as w (slot, sequencer, bundle_number)
    using (slot, sequencer, bundle_number)`;
  return fromAllSegments(pipeline, select);
}
