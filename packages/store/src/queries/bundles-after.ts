import { fromAllSegments } from './leaf.ts';

/**
 * The next bundles above `after` in order: at most `rows` of them and `bytes`, but always one. Sizes come from the row
 * heads; only the bodies that are returned are read.
 */
export function bundlesAfter(
  pipeline: number,
  { after, bytes, rows }: { after: number; bytes: number; rows: number },
): string {
  for (const value of [after, bytes, rows])
    if (!Number.isSafeInteger(value)) throw new RangeError(`not a position: ${value}`);
  const columns = 'position, slot, sequencer, bundle_number, body';
  return `
select ${columns}
  from (select ${columns}, sum(octet_length(body)) over (order by position) - octet_length(body) as before
          from (${fromAllSegments(pipeline, (leaf) => `(select ${columns} from ${leaf} where position > ${after} order by position limit ${rows})`)}) as found
         order by position
         limit ${rows}) as sized
 where before = 0 or before < ${bytes}
 order by position`;
}
