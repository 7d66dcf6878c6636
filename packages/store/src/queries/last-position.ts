import { fromAllSegments } from './leaf.ts';

export function lastPosition(pipeline: number): string {
  return `
select greatest((select released_position from millrace.pipelines where number = $1::int4), max(position)) as position
  from (${fromAllSegments(pipeline, (leaf) => `(select position from ${leaf} order by position desc limit 1)`)}) as ends`;
}
