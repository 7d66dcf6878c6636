/** $1 pipeline, $2 resolution in s, $3 start, $4 body. A span that is written again is written whole. */
export const PUT_SPAN = `
insert into millrace.metrics (pipeline, resolution, starts_at, body)
values ($1, $2::int4, $3::timestamptz, $4::bytea)
on conflict (pipeline, resolution, starts_at) do update set body = excluded.body`;

/** $1 pipeline, $2 resolution in s, $3 from, $4 to, $5 at most. */
export const GET_SPANS = `
select starts_at as "startsAt", body from millrace.metrics
 where pipeline = $1 and resolution = $2::int4 and starts_at >= $3::timestamptz and starts_at < $4::timestamptz
 order by starts_at limit $5::int4`;

/** $1 resolution in s, $2 before. */
export const DELETE_SPANS = `
delete from millrace.metrics where resolution = $1::int4 and starts_at < $2::timestamptz`;
