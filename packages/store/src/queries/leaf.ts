/** A pipeline's log segments are tables of their own; their names hold a number and nothing else. */
export const SEGMENTS = 4;

export function leafName(pipeline: number, segment: number): string {
  return `millrace.bundles_${segmentNumber(pipeline, segment)}`;
}

export function segmentNumber(pipeline: number, segment: number): number {
  const number = pipeline * SEGMENTS + segment;
  if (!Number.isSafeInteger(number) || segment < 0 || segment >= SEGMENTS)
    throw new RangeError(`no such log segment: ${pipeline}/${segment}`);
  return number;
}

/** `select` of the same columns from every segment. */
export function fromAllSegments(pipeline: number, select: (leaf: string) => string): string {
  return Array.from({ length: SEGMENTS }, (_, segment) => select(leafName(pipeline, segment))).join(
    ' union all ',
  );
}
