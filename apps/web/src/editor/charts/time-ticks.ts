/** What stands below a time axis: no finer than the steps between, the day where a new one begins. */
import { formatClock, formatDay } from '../../text/format-time.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Wide enough for `12:04:31` and a gap, px. */
export const TICK_SPACE = 72;

/** `splits` and the step between them in seconds. */
export const timeTicks = (splits: readonly number[], step: number): string[] =>
  splits.map((at) => {
    const clock = formatClock(at * 1_000);
    if (step >= DAY_S || (step >= HOUR_S && clock.startsWith('00:00'))) return formatDay(at * 1_000);
    return step % MINUTE_S === 0 ? clock.slice(0, 5) : clock;
  });
