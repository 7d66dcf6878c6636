/** At least one, and no more than so many bytes: letters may be large. */
const bounded = (where: string, limit: string, bytes: string) => `
select number::float8 as number, detail::text as detail, redrive
  from (select number, detail, redrive,
               sum(bytes) over (order by number) - bytes as before
          from (select number, detail, redrive,
                       pg_column_size(detail) + coalesce(octet_length(redrive), 0) as bytes
                  from millrace.dead_letters where pipeline = $1::int4 and ${where}
                 order by number limit ${limit}::int4) as found) as sized
 where before = 0 or before < ${bytes}::int8
 order by number`;

/** $1 pipeline, $2 numbers, $3 limit, $4 bytes. Oldest first. */
export const LETTERS_BY_NUMBER = bounded('number = any($2::int8[])', '$3', '$4');

/** $1 pipeline, $2 group as hexadecimal text, $3 above, $4 up to, $5 limit, $6 bytes. Oldest first. */
export const LETTERS_OF_GROUP = bounded(
  "group_hash = decode($2, 'hex') and number > $3::int8 and number <= $4::int8",
  '$5',
  '$6',
);

/** $1 pipeline. */
export const NEWEST_LETTER = `
select coalesce(max(number), 0)::float8 as number from millrace.dead_letters where pipeline = $1::int4`;

/**
 * $1 pipeline, $2 numbers. The row count says how many were there, and they stay locked. Counted here, for the same
 * input that fails again is a row of its own.
 */
export const TAKE_LETTERS = `
with taken as (
  delete from millrace.dead_letters where pipeline = $1::int4 and number = any($2::int8[]) returning id_hash
)
insert into millrace.redriven_letters as r (pipeline, id_hash, times)
select $1::int4, id_hash, 1 from taken
on conflict (pipeline, id_hash) do update set times = r.times + 1, last_at = now()`;

/** $1 pipeline. What was well in the end is not remembered for ever. */
export const FORGET_REDRIVEN = `
delete from millrace.redriven_letters where pipeline = $1::int4 and last_at < now() - interval '30 days'`;

/** $1 pipeline id, $2 numbers. */
export const DISCARD_BY_NUMBER = `
delete from millrace.dead_letters d using millrace.pipelines p
 where p.id = $1 and d.pipeline = p.number and d.number = any($2::int8[])`;

/** $1 pipeline id, $2 group as hexadecimal text or null for letters without one, $3 node or null, $4 up to, $5 limit. */
export const DISCARD_GROUP = `
delete from millrace.dead_letters d
 where (d.pipeline, d.number) in (
   select l.pipeline, l.number
     from millrace.dead_letters l join millrace.pipelines p on p.number = l.pipeline
    where p.id = $1 and l.group_hash is not distinct from decode($2::text, 'hex')
      and ($3::text is null or l.node = $3) and l.number <= $4::int8
    order by l.number limit $5::int4)`;
