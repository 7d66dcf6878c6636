/** $1 pipeline, $2 space, $3 starts as hexadecimal text. */
export const READ_PAGES = `
select p.start, p.body
  from unnest($3::text[]) as d (start)
  join millrace.pages p
    on p.pipeline = $1::int4 and p.space = $2::int8
   and p.start_key = case when length(d.start) <= 2048 then decode(d.start, 'hex')
                          else substring(decode(d.start, 'hex') for 993) || sha256(decode(d.start, 'hex')) end`;
