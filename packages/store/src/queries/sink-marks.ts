/** $1 pipeline, $2 node. */
export const GET_SINK_MARK = `
select through, detail::text as detail, written_by from millrace.sink_marks where pipeline = $1::int4 and node = $2`;

/** $1 pipeline, $2 node, $3 through, $4 detail, $5 id of the call. */
export const SET_SINK_MARK = `
insert into millrace.sink_marks (pipeline, node, through, detail, written_by)
values ($1::int4, $2, $3::int8, $4::json, $5::uuid)
on conflict (pipeline, node) do update
   set through = excluded.through, detail = excluded.detail, written_by = excluded.written_by`;
