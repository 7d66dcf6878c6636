const COLUMNS = `d.number::float8 as number, d.recorded_at, encode(d.group_hash, 'hex') as "group", coalesce(r.times, 0) as redriven,
  d.redrive is not null as redrivable`;
const TABLES = `millrace.dead_letters d join millrace.pipelines p on p.number = d.pipeline
  left join millrace.redriven_letters r on r.pipeline = d.pipeline and r.id_hash = d.id_hash`;

/** $1 pipeline id, $2 before number or null, $3 limit, $4 node or null, $5 group as hexadecimal text or null. */
export const DEAD_LETTER_PAGE = `
select ${COLUMNS}, d.detail::text as detail
  from ${TABLES}
 where p.id = $1 and ($2::int8 is null or d.number < $2) and ($4::text is null or d.node = $4)
   and ($5::text is null or d.group_hash = decode($5, 'hex'))
 order by d.number desc limit $3::int4`;

/** $1 pipeline id, $2 number. */
export const DEAD_LETTER = `
select ${COLUMNS}, d.detail::text as detail
  from ${TABLES}
 where p.id = $1 and d.number = $2::int8`;

/** $1 pipeline id, $2 how many of the latest letters to look at. */
export const DEAD_LETTER_COUNTS = `
select node, count(*)::float8 as count
  from (select d.node
          from millrace.dead_letters d join millrace.pipelines p on p.number = d.pipeline
         where p.id = $1
         order by d.number desc limit $2::int4) latest
 group by node`;

/** $1 pipeline id, $2 node or null, $3 how many of the latest letters to look at, $4 limit. */
export const DEAD_LETTER_GROUPS = `
select encode(group_hash, 'hex') as "group", node, error, place, count(*)::float8 as count,
       max(number)::float8 as newest, max(recorded_at) as newest_at, min(recorded_at) as oldest_at
  from (select d.number, d.group_hash, d.node, d.error, d.place, d.recorded_at
          from millrace.dead_letters d join millrace.pipelines p on p.number = d.pipeline
         where p.id = $1 and ($2::text is null or d.node = $2)
         order by d.number desc limit $3::int4) latest
 group by group_hash, node, error, place
 order by newest desc limit $4::int4`;
