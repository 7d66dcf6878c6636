/**
 * $1 pipeline, $2 id hashes as hexadecimal text, $3 nodes, $4 details, $5 group hashes as hexadecimal text,
 * $6 errors, $7 places, $8 inputs to deliver again. The same failure twice is one row.
 */
export const RECORD_DEAD_LETTERS = `
insert into millrace.dead_letters (pipeline, id_hash, node, detail, group_hash, error, place, redrive)
select $1::int4, decode(d.id_hash, 'hex'), d.node, d.detail::json, decode(d.group_hash, 'hex'), d.error, d.place,
       d.redrive
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    as d (id_hash, node, detail, group_hash, error, place, redrive)
on conflict (pipeline, id_hash) do nothing`;

/** $1 pipeline, $2 limit. Newest first. */
export const LIST_DEAD_LETTERS = `
select detail::text as detail from millrace.dead_letters where pipeline = $1::int4 order by number desc limit $2::int4`;
