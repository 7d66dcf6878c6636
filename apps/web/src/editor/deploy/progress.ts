/**
 * A deploy as it happens: what the engine said it does, from the wish on. Pure.
 *
 * An observation follows a revision of the wish. As long as it follows an older one, it is the version before that is
 * finishing; what follows a newer one belongs to somebody else's wish.
 */
import type { EventPayload } from '@millrace/protocol/api';

export type Observed = NonNullable<EventPayload<'view.frame'>['state']>;

export interface Wanted {
  readonly version: number;
  /** Of the wish. */
  readonly revision: number;
}

export type Outcome = 'under-way' | 'done' | 'paused' | 'ended' | 'failed' | 'overtaken';

/** With what was seen now; the same list where that is nothing new. */
export function withObserved(seen: readonly Observed[], now: Observed): readonly Observed[] {
  const last = seen.at(-1);
  const isSame =
    last !== undefined &&
    last.state === now.state &&
    last.version === now.version &&
    last.reason === now.reason &&
    last.retryAt === now.retryAt;
  if (!isSame) return [...seen, now];
  // The same state under a newer wish: it counts, and is no line of its own.
  return last.revision === now.revision ? seen : [...seen.slice(0, -1), now];
}

export function outcomeOf(seen: readonly Observed[], { revision }: Wanted): Outcome {
  const last = seen.at(-1);
  if (last === undefined || last.revision < revision) return 'under-way';
  if (last.revision > revision) return 'overtaken';
  switch (last.state) {
    case 'running':
      return 'done';
    case 'paused':
    case 'ended':
    case 'failed':
      return last.state;
    default:
      return 'under-way';
  }
}
