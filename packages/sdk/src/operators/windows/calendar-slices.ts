/**
 * Calendar windows. A window is named by its unit's number (days, weeks, months, … since 1970) and begins at the
 * first moment at which the clocks of the zone show its border or later. Seen so, clocks that are set back never
 * lead back into an earlier window, and windows lie side by side without gap or overlap.
 */

import type { EventTime } from '../../api.ts';
import { type Slices, slicesSideBySide } from './slices.ts';
import { type CalendarUnit, type CalendarWindow, LAST_DATE_MS } from './window.ts';
import { zoneClock } from './zone-clock.ts';

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS;
const MONTHS: Readonly<Record<'month' | 'quarter' | 'year', number>> = { month: 1, quarter: 3, year: 12 };
/** Windows that are remembered: of a day and what comes late for it, a few. */
const MOST_KNOWN = 64;

/** Where dates end there are no whole years any more: what lies beyond is one window, and another without dates. */
const FURTHEST_MS = LAST_DATE_MS - 1000 * DAY_MS;

interface Numbering {
  /** Number of the unit that a clock time belongs to. */
  numberOf(clock: number): number;
  /** The clock time at which it begins. */
  beginning(number: number): number;
}

interface Known {
  readonly start: EventTime;
  readonly end: EventTime;
}

export function calendarSlices(window: CalendarWindow): Slices {
  const { offsetMs } = window;
  const clock = zoneClock(window.zone);
  const units = numberingOf(window.unit);
  const beginning = (number: number): EventTime => clock.firstAt(units.beginning(number) + offsetMs);
  const known: Known[] = [];
  const find = (time: EventTime): Known => {
    let number = units.numberOf(clock.clockAt(time) - offsetMs);
    // Clocks that were set back show an earlier unit, and the first ones of a skipped unit none.
    while (beginning(number + 1) <= time) number++;
    return { start: beginning(number), end: endAfter(beginning, number) };
  };
  const beyond = (time: EventTime): Known => {
    const edge = time < 0 ? find(-FURTHEST_MS).start : find(FURTHEST_MS).end;
    const edges = [Number.MIN_SAFE_INTEGER, -LAST_DATE_MS, LAST_DATE_MS, Number.MAX_SAFE_INTEGER];
    const borders = [...edges, edge].sort((a, b) => a - b);
    // The last moment of all belongs to the last window.
    const at = Math.min(
      borders.findLastIndex((border) => border <= time),
      borders.length - 2,
    );
    return { start: borders[at]!, end: borders[at + 1]! };
  };
  /** The calendar is the same for all keys and at all times, so what is known of it may be kept. */
  const windowAt = (time: EventTime): Known => {
    const before = known.findLast(({ start, end }) => start <= time && time < end);
    if (before !== undefined) return before;
    const near = find(Math.min(Math.max(time, -FURTHEST_MS), FURTHEST_MS));
    const found = near.start <= time && time < near.end ? near : beyond(time);
    if (known.length >= MOST_KNOWN) known.splice(0, MOST_KNOWN / 2);
    known.push(found);
    return found;
  };
  return slicesSideBySide(
    (time) => windowAt(time).start,
    // Nothing follows the last window.
    (start) => (start < Number.MAX_SAFE_INTEGER ? windowAt(start).end : Number.POSITIVE_INFINITY),
  );
}

/** A day that a zone left out begins where the next one does: it has no window. */
function endAfter(beginning: (number: number) => EventTime, number: number): EventTime {
  const start = beginning(number);
  let next = number + 1;
  while (beginning(next) <= start) next++;
  return beginning(next);
}

function numberingOf(unit: CalendarUnit): Numbering {
  if (unit === 'day' || unit === 'week') {
    const [length, first] = unit === 'day' ? [DAY_MS, 0] : [7 * DAY_MS, MONDAY_MS];
    return {
      numberOf: (clock) => Math.floor((clock - first) / length),
      beginning: (number) => number * length + first,
    };
  }
  const months = MONTHS[unit];
  return {
    numberOf(clock) {
      const date = new Date(clock);
      return Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / months);
    },
    beginning: (number) => new Date(0).setUTCFullYear(1970, number * months, 1),
  };
}
