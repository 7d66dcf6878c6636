/**
 * 64 bits of a text, two murmur-like lanes over its UTF-16 code units. Never a key of anything stored elsewhere, but part
 * of stored sketches: it must not change.
 */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

export function hashOf(text: string): Hash {
  let h1 = 0x9e3779b9;
  let h2 = 0x85ebca6b ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h1 = Math.imul(rotated(h1 ^ Math.imul(unit, 0xcc9e2d51), 15), 0x1b873593);
    h2 = Math.imul(rotated(h2 ^ Math.imul(unit, 0xc2b2ae35), 13), 0xe6546b64) + h1;
  }
  const high = mixed(h1 ^ Math.imul(h2, 0x27d4eb2f));
  const low = mixed(h2 ^ Math.imul(high, 0x165667b1));
  return { high, low };
}

function rotated(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by));
}

function mixed(bits: number): number {
  let h = bits ^ (bits >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
