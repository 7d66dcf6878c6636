/**
 * When a server that stands by takes over. Pure: from what each look at the lease showed.
 *
 * Looks are counted, not times: a look that comes late, because this machine was paused or busy, counts once, and no
 * two clocks are ever compared. A look that failed proves nothing, and what was counted before it is forgotten.
 */
import type { LeaseLook } from '@millrace/store';

export const LOOK_EVERY_MS = 500;
export const BEAT_EVERY_MS = 1_000;

/** As many looks without a beat, and whoever leads is frozen or cut off: four beats were missed. */
const STILL_LOOKS = 8;
/** The same when its session is gone as well: it ended, or its line broke and it has not come again. */
const GONE_LOOKS = 3;

export interface Watch {
  readonly sequencer: number;
  readonly beat: number;
  /** Looks in a row that saw neither move. */
  readonly still: number;
  readonly gone: number;
}

export type Verdict = 'wait' | 'claim';

/** `before`: undefined at first, and after a look that failed. */
export function judgeLease(
  before: Watch | undefined,
  look: LeaseLook,
): { readonly watch: Watch; readonly verdict: Verdict } {
  const { sequencer, beat, leader } = look;
  const moved = before === undefined || before.sequencer !== sequencer || before.beat !== beat;
  const still = moved ? 0 : before.still + 1;
  const gone = moved || leader?.isHere ? 0 : before.gone + 1;
  const free = leader === undefined || leader.isThis;
  const verdict = free || still >= STILL_LOOKS || gone >= GONE_LOOKS ? 'claim' : 'wait';
  return { watch: { sequencer, beat, still, gone }, verdict };
}
