/** Randomness for `ctx.random()`: a small fast counter generator seeded by the cause's id (P4). */
export function seededRandom(seed: string): () => number {
  let h1 = 1779033703;
  let h2 = 3144134277;
  let h3 = 1013904242;
  let h4 = 2773480762;
  for (let i = 0; i < seed.length; i++) {
    const c = seed.charCodeAt(i);
    h1 = h2 ^ Math.imul(h1 ^ c, 597399067);
    h2 = h3 ^ Math.imul(h2 ^ c, 2869860233);
    h3 = h4 ^ Math.imul(h3 ^ c, 951274213);
    h4 = h1 ^ Math.imul(h4 ^ c, 2716044179);
  }
  return () => {
    const t = (h1 + h2 + h4) | 0;
    h4 = (h4 + 1) | 0;
    h1 = h2 ^ (h2 >>> 9);
    h2 = (h3 + (h3 << 3)) | 0;
    h3 = ((h3 << 21) | (h3 >>> 11)) + t;
    return (t >>> 0) / 4294967296;
  };
}
