import { fromAllSegments } from './leaf.ts';

/**
 * The next bundles above $1 in order: at most $3 of them and $2 bytes, but always one. Sizes come from the row
 * heads; only the bodies that are returned are read.
 */
export function bundlesAfter(pipeline: number): string {
  const columns = 'position, slot, sequencer, bundle_number, body';
  return `
select ${columns}
  from (select ${columns}, sum(octet_length(body)) over (order by position) - octet_length(body) as before
          from (${fromAllSegments(pipeline, (leaf) => `(select ${columns} from ${leaf} where position > $1::int8 order by position limit $3::int4)`)}) as found
         order by position
         limit $3::int4) as sized
 where before = 0 or before < $2::int8
 order by position`;
}
