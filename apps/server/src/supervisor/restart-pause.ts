/** How long to wait before the engine host is started again: not at all, unless it keeps ending. */
const STEADY_MS = 30_000;
const FIRST_MS = 250;
const LONGEST_MS = 15_000;

export interface Ends {
  /** Hosts in a row that ended before they were steady. */
  readonly quick: number;
}

export const NO_ENDS: Ends = { quick: 0 };

export function afterEnd({ quick }: Ends, livedMs: number): { ends: Ends; pauseMs: number } {
  const before = livedMs >= STEADY_MS ? 0 : quick;
  const pauseMs = before === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (before - 1));
  return { ends: { quick: before + 1 }, pauseMs };
}
