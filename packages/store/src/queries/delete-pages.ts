/** $1 pipeline, $2 spaces, $3 starts as hexadecimal text. */
export const DELETE_PAGES = `
delete from millrace.pages p
 using unnest($2::int8[], $3::text[]) as d (space, start)
 where p.pipeline = $1::int4 and p.space = d.space
   and p.start_key = case when length(d.start) <= 2048 then decode(d.start, 'hex')
                          else substring(decode(d.start, 'hex') for 993) || sha256(decode(d.start, 'hex')) end`;
