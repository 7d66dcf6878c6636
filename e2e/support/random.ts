/** Seeded randomness (mulberry32); the seed is printed with a failure and can be set to see it again. */
export const SEED = Number(process.env.MILLRACE_SEED ?? Date.now() % 1_000_000);

export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Shuffles each stretch of `length` items on its own. */
export function shuffled<T>(items: readonly T[], length: number, random: () => number): T[] {
  const all = [...items];
  for (let from = 0; from < all.length; from += length) {
    const to = Math.min(from + length, all.length);
    for (let i = to - 1; i > from; i--) {
      const j = from + Math.floor(random() * (i + 1 - from));
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
  }
  return all;
}
