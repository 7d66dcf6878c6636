/** How long a pipeline that failed is left alone before it is started again: never a tight loop, never for ever. */
const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** A run that lasted so long was no failed start. */
const STEADY_MS = 60_000;

export interface Failures {
  readonly inARow: number;
}

export const NO_FAILURES: Failures = { inARow: 0 };

export function afterFailure(
  { inARow }: Failures,
  lastedMs: number,
): { failures: Failures; delayMs: number } {
  const before = lastedMs >= STEADY_MS ? 0 : inARow;
  return {
    failures: { inARow: before + 1 },
    delayMs: Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(before, 10)),
  };
}
