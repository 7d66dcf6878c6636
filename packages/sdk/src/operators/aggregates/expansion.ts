/**
 * Exact sums of doubles. An expansion is a list of non-zero doubles, smallest first, whose exact sum is the
 * value and whose bits do not overlap (Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates*, 1997). Adding loses nothing, so the sum does not depend on the order; it is rounded
 * once, when it is read. Zero is the empty list.
 */

/** The expansion plus `value`, a finite double. Infinity in the result means that it overflowed. */
export function grow(expansion: readonly number[], value: number): number[] {
  const grown: number[] = [];
  let carry = value;
  for (const part of expansion) {
    const [large, small] = Math.abs(carry) < Math.abs(part) ? [part, carry] : [carry, part];
    const sum = large + small;
    const lost = small - (sum - large);
    if (lost !== 0) grown.push(lost);
    carry = sum;
  }
  if (carry !== 0) grown.push(carry);
  return grown;
}

/** The double nearest to the exact sum, ties to even. */
export function roundExpansion(expansion: readonly number[]): number {
  let index = expansion.length - 1;
  if (index < 0) return 0;
  let high = expansion[index]!;
  let low = 0;
  while (index > 0 && low === 0) {
    index -= 1;
    const before = high;
    const part = expansion[index]!;
    high = before + part;
    low = part - (high - before);
  }
  // `high` was rounded half to even by the two largest parts alone; a part below decides which side is nearer.
  if (index > 0 && Math.sign(low) === Math.sign(expansion[index - 1]!)) {
    const twice = low * 2;
    const moved = high + twice;
    if (twice === moved - high) high = moved;
  }
  return high;
}
