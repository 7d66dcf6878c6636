/**
 * What the clocks of a time zone show, from the zone data of the runtime (`Intl`).
 *
 * A **clock time** is what a clock shows, as the milliseconds that UTC would have when its clocks show the same. It is
 * `time + offset`, and the offset changes a few times a year at most.
 */

import type { EventTime } from '../../api.ts';

export interface ZoneClock {
  /** What the clocks show at `time`. */
  clockAt(time: EventTime): number;
  /** The first moment at which the clocks show `clock` or later. */
  firstAt(clock: number): EventTime;
}

const HOUR_MS = 3_600_000;
/** No zone is or was further from UTC: Manila was 15:56 behind, Metlakatla 15:02 ahead. */
const FURTHEST_MS = 17 * HOUR_MS;
/** Two changes of one zone's clocks lie further apart. */
const STEP_MS = 6 * HOUR_MS;

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function zoneClock(zone: string): ZoneClock {
  const offsetAt = offsetsOf(zone);
  return {
    clockAt: (time) => time + offsetAt(time),
    firstAt(clock) {
      const last = clock + FURTHEST_MS;
      for (let from = clock - FURTHEST_MS; from < last; from += STEP_MS) {
        for (const [begin, end, offset] of spans(offsetAt, from, from + STEP_MS)) {
          const found = Math.max(begin, clock - offset);
          if (found < end) return found;
        }
      }
      return last;
    },
  };
}

/** `[from, to)` cut where the clocks are changed, which is once at most. */
function spans(
  offsetAt: (time: EventTime) => number,
  from: EventTime,
  to: EventTime,
): readonly (readonly [begin: EventTime, end: EventTime, offset: number])[] {
  const before = offsetAt(from);
  const after = offsetAt(to);
  if (before === after) return [[from, to, before]];
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return [
    [from, high, before],
    [high, to, after],
  ];
}

function offsetsOf(zone: string): (time: EventTime) => number {
  if (zone === 'UTC') return () => 0;
  const format = formatOf(zone);
  return (time) => {
    // A clock shows seconds; zones differ from UTC by whole ones.
    const second = Math.floor(time / 1000) * 1000;
    const fields = new Map(format.formatToParts(second).map(({ type, value }) => [type, value]));
    const field = (name: Intl.DateTimeFormatPartTypes): number => Number(fields.get(name));
    const year = fields.get('era')?.startsWith('B') ? 1 - field('year') : field('year');
    // `Date.UTC` takes years below 100 for years of the last century.
    const shown = new Date(0).setUTCFullYear(year, field('month') - 1, field('day'));
    return shown + field('hour') * HOUR_MS + field('minute') * 60_000 + field('second') * 1000 - second;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
