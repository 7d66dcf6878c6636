/** $1 id. The row of a pipeline, made when it is new. */
export const INSERT_PIPELINE = `
insert into millrace.pipelines (id) values ($1) on conflict (id) do nothing`;

export const SELECT_PIPELINE = `
select number, current_segment from millrace.pipelines where id = $1 for update`;

/** $1 id. */
export const FIND_PIPELINE = `
select number, current_segment from millrace.pipelines where id = $1`;
