import { leafName, segmentNumber } from './leaf.ts';

export function makeSegment(pipeline: number, segment: number): string {
  return `
create table if not exists ${leafName(pipeline, segment)}
  partition of millrace.bundles for values in (${segmentNumber(pipeline, segment)})
  with (autovacuum_enabled = false)`;
}
