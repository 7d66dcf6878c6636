import { leafName } from './leaf.ts';

/** Whether a segment has rows, and its highest position. */
export function segmentEnd(pipeline: number, segment: number): string {
  return `select max(position) as last from ${leafName(pipeline, segment)}`;
}

/** Everything the segment occupies on disk. */
export function segmentSize(pipeline: number, segment: number): string {
  return `select pg_total_relation_size('${leafName(pipeline, segment)}'::regclass) as bytes`;
}

export function lockSegment(pipeline: number, segment: number): string {
  return `lock table only ${leafName(pipeline, segment)} in access exclusive mode`;
}

export function truncateSegment(pipeline: number, segment: number): string {
  return `truncate table only ${leafName(pipeline, segment)}`;
}

/** $1 pipeline, $2 position. */
export const NOTE_RELEASED = `
update millrace.pipelines set released_position = greatest(released_position, $2::int8) where number = $1::int4`;

/** $1 pipeline, $2 segment. */
export const SET_CURRENT_SEGMENT = `
update millrace.pipelines set current_segment = $2::int4 where number = $1::int4`;

/** $1 pipeline. */
export const GET_CURRENT_SEGMENT = `
select current_segment from millrace.pipelines where number = $1::int4`;
