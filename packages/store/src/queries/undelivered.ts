/** $1 pipeline, $2 positions, $3 ordinals, $4 lengths, $5 all bodies. */
export const INSERT_UNDELIVERED = `
insert into millrace.undelivered (pipeline, position, ordinal, body)
select $1::int4, position, ordinal, substring($5::bytea from at for length)
  from (select position, ordinal, length, (1 + sum(length) over (order by n) - length)::int4 as at
          from unnest($2::int8[], $3::int8[], $4::int4[]) with ordinality as u (position, ordinal, length, n)) as cut
on conflict do nothing`;

/** $1 pipeline, $2 positions, $3 ordinals. */
export const DELETE_DELIVERED = `
delete from millrace.undelivered u
 using unnest($2::int8[], $3::int8[]) as d (position, ordinal)
 where u.pipeline = $1::int4 and u.position = d.position and u.ordinal = d.ordinal`;

/** $1 pipeline. */
export const LIST_UNDELIVERED = `
select position, ordinal, body from millrace.undelivered where pipeline = $1::int4 order by position, ordinal`;
