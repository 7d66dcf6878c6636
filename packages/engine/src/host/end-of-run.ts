/**
 * Whether a run is over, and what has to happen first.
 *
 * Invariant
 *   PH4  "over" is decided from committed facts only: nothing sent, waiting, running, undelivered.
 */
export interface EndFacts {
  /** No bundle is on its way to the log. */
  readonly committerIsIdle: boolean;
  /** By slot. */
  readonly workers: readonly {
    /** Everything is told, taken, committed and finished with. */
    readonly isQuiet: boolean;
    /** Wall time in ms. */
    readonly nextWallTimer: number | undefined;
  }[];
  /** Keys are between two workers. */
  readonly moving?: boolean;
  readonly draining: boolean;
  /** RV7: somebody may still redrive dead letters. */
  readonly awaitsLetters: boolean;
  /** Every injector, on every worker. */
  readonly injectorsEnded: () => boolean;
  /** Everything committed for them is written. */
  readonly sinksAreIdle: () => boolean;
}

export type EndStep =
  | { readonly kind: 'not-yet' }
  /** W6: the worker of `slot` fires its wall timers up to `limit`, the next one's of any other. */
  | { readonly kind: 'fire-wall-timers'; readonly slot: number; readonly limit: number }
  | { readonly kind: 'drained' }
  | { readonly kind: 'done' };

const NOT_YET: EndStep = { kind: 'not-yet' };

export function endStep(facts: EndFacts): EndStep {
  const { workers } = facts;
  if (facts.awaitsLetters || facts.moving === true) return NOT_YET;
  if (!facts.committerIsIdle || !workers.every(({ isQuiet }) => isQuiet)) return NOT_YET;
  if (facts.draining) return facts.sinksAreIdle() ? { kind: 'drained' } : NOT_YET;
  if (!facts.injectorsEnded()) return NOT_YET;
  return firstWallTimers(workers) ?? (facts.sinksAreIdle() ? { kind: 'done' } : NOT_YET);
}

/** W6: at the end of all input, wall timers fire in order, the earliest worker first. */
function firstWallTimers(workers: EndFacts['workers']): EndStep | undefined {
  const next = workers.map(({ nextWallTimer }) => nextWallTimer ?? Number.POSITIVE_INFINITY);
  const earliest = Math.min(...next);
  if (earliest === Number.POSITIVE_INFINITY) return undefined;
  const slot = next.indexOf(earliest);
  const limit = Math.min(...next.map((time, i) => (i === slot ? Number.POSITIVE_INFINITY : time)));
  return { kind: 'fire-wall-timers', slot, limit };
}
