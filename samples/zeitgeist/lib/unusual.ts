/** When a count differs from the expected one so much that somebody should know. */

export function isSpike(count: number, expected: number): boolean {
  return count > expected * 1.5;
}

/** A third of the regions missing would look like this, too: a dip is only believed of a complete second. */
export function isDip(count: number, expected: number): boolean {
  return count < expected * 0.75;
}
