/**
 * $1 pipeline, $2 spaces, $3 lengths of the starts, $4 all starts, $5 lengths of the bodies, $6 all bodies, $7
 * position. The blobs travel as one binary parameter each: an array of them would be sent as text.
 */
export const WRITE_PAGES = `
insert into millrace.pages (pipeline, space, start, body, position)
select $1::int4, space, substring($4::bytea from start_at for start_length),
       substring($6::bytea from body_at for body_length), $7::int8
  from (select space, start_length, body_length,
               (1 + sum(start_length) over w - start_length)::int4 as start_at,
               (1 + sum(body_length) over w - body_length)::int4 as body_at
          from unnest($2::int8[], $3::int4[], $5::int4[]) with ordinality
                 as p (space, start_length, body_length, n)
        window w as (order by n)) as cut
on conflict (pipeline, space, start_key) do update set body = excluded.body, position = excluded.position`;
