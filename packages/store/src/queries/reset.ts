/** $1 pipeline. One statement per table: all that is stored except the versions. */
export const RESET: readonly string[] = [
  'delete from millrace.pages where pipeline = $1::int4',
  'delete from millrace.dead_letters where pipeline = $1::int4',
  'delete from millrace.redriven_letters where pipeline = $1::int4',
  'delete from millrace.undelivered where pipeline = $1::int4',
  'delete from millrace.sink_marks where pipeline = $1::int4',
];

/** $1 pipeline, $2 last position given: positions go on from there. */
export const RESET_MARKS = `
update millrace.pipelines
   set folded_through = greatest(released_position, $2::int8), released_position = greatest(released_position, $2::int8)
 where number = $1::int4`;
