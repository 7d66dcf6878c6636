/** $1 pipeline, $2 through. */
export const SET_FOLDED = `
update millrace.pipelines set folded_through = $2::int8 where number = $1::int4`;

/** $1 pipeline. */
export const GET_FOLDED = `
select folded_through from millrace.pipelines where number = $1::int4`;
