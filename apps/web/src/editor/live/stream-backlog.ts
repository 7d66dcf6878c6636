/** What waits on a stream and is worth a word: a few records on their way are not. */
import type { ViewStream } from '@millrace/protocol/api';

const ALWAYS_ON_THEIR_WAY = 20;

/** More than flows in a second; undefined where that is not so. */
export function backlogOf({ inFlight, rate }: Pick<ViewStream, 'inFlight' | 'rate'>): number | undefined {
  const usual = Math.max(ALWAYS_ON_THEIR_WAY, rate ?? 0);
  return inFlight !== undefined && inFlight > usual ? inFlight : undefined;
}
