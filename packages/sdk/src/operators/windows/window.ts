/** Windows as settings: what `aggregate` cuts event time into. Half-open `[start, end)` (N1). */

import type { Duration } from '../../api.ts';
import { durationMs, positiveMs } from '../duration.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';
import { isZone } from './zone-clock.ts';

/** Windows of equal size, one beginning every `slideMs`, at `offsetMs` and its multiples. */
export interface SlidingWindow {
  readonly type: 'tumbling' | 'hopping';
  readonly sizeMs: number;
  readonly slideMs: number;
  /** In `[0, slideMs)`. */
  readonly offsetMs: number;
}

export interface SessionWindow {
  readonly type: 'session';
  readonly gapMs: number;
}

/** Days, weeks, … as the clocks of a zone show them: 23 or 25 hours where the clocks are changed. */
export interface CalendarWindow {
  readonly type: 'calendar';
  readonly unit: CalendarUnit;
  /** IANA name, such as `Europe/Berlin`. */
  readonly zone: string;
  /** Shifts every border on the clock: with six hours a day begins at six. */
  readonly offsetMs: number;
}

/** One window for all times of a key. It ends with its input. */
export interface GlobalWindow {
  readonly type: 'global';
}

export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Windows that are the same for every key. */
export type GridWindow = SlidingWindow | CalendarWindow | GlobalWindow;

export type Window = GridWindow | SessionWindow;

export const CALENDAR_UNITS: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];

/** The last moment that a `Date` can tell; the first one lies as far before 1970. */
export const LAST_DATE_MS = 8_640_000_000_000_000;

export interface WindowOptions {
  /** Shifts all windows; may be negative. */
  readonly offset?: Duration | undefined;
  /** Windows of a fixed length are cut in UTC; give `offset` for another alignment. */
  readonly zone?: 'UTC' | undefined;
}

/** Windows of `size`, side by side. */
export function tumbling(size: Duration, options: WindowOptions = {}): SlidingWindow {
  const sizeMs = positiveMs(size, 'The size of a tumbling window');
  return { type: 'tumbling', sizeMs, slideMs: sizeMs, offsetMs: offsetOf(options, sizeMs, 'tumbling') };
}

/**
 * Windows of `size`, one beginning every `slide`. With a slide longer than the size, records between two
 * windows are in none.
 */
export function hopping(size: Duration, slide: Duration, options: WindowOptions = {}): SlidingWindow {
  const sizeMs = positiveMs(size, 'The size of a hopping window');
  const slideMs = positiveMs(slide, 'The slide of a hopping window');
  return { type: 'hopping', sizeMs, slideMs, offsetMs: offsetOf(options, slideMs, 'hopping') };
}

/** Each record is `[t, t + gap)`; what overlaps is one session, what only touches is two (N2). */
export function sessions(gap: Duration): SessionWindow {
  return { type: 'session', gapMs: positiveMs(gap, 'The gap of a session window') };
}

export interface CalendarOptions {
  /** IANA name of a time zone, such as `Europe/Berlin`; default UTC. */
  readonly zone?: string | undefined;
  /** Shifts every border on the clock of the zone; `6h`: days begin at six. With `-1d` weeks begin on Sunday. */
  readonly offset?: Duration | undefined;
}

/**
 * Windows of the calendar in a time zone. A day begins at the first moment at which its clocks show midnight or
 * later, so every day has exactly one beginning, also where a change of the clocks skips or repeats midnight.
 * Weeks begin on Monday.
 */
export function calendar(unit: CalendarUnit, options: CalendarOptions = {}): CalendarWindow {
  refuseUnknownOptions(options, ['zone', 'offset'], 'The calendar window');
  const offsetMs = durationMs(options.offset ?? 0, 'The offset of a calendar window');
  const window = { type: 'calendar', unit, zone: options.zone ?? 'UTC', offsetMs } as const;
  requireCalendar(window);
  return window;
}

/**
 * One window for everything a key has. It fires when all input has ended; on a stream without an end give it
 * a trigger.
 */
export function globalWindow(): GlobalWindow {
  return { type: 'global' };
}

/** A window that did not come from the functions above (plain JavaScript, hand-made objects). */
export function requireWindow(window: unknown, what: string): asserts window is Window {
  const given = (window ?? {}) as Given;
  if (given.type === 'tumbling' || given.type === 'hopping') {
    positiveMs(given.sizeMs ?? 0, 'The size of the window');
    positiveMs(given.slideMs ?? 0, 'The slide of the window');
    durationMs(given.offsetMs ?? 0, 'The offset of the window');
  } else if (given.type === 'session') {
    positiveMs(given.gapMs ?? 0, 'The gap of the window');
  } else if (given.type === 'calendar') {
    requireCalendar(given);
  } else if (given.type !== 'global') {
    throw new TypeError(
      `${what} needs a window: tumbling(…), hopping(…), sessions(…), calendar(…) or globalWindow().`,
    );
  }
}

/** In how many windows a record may lie where each of them is looked at when it comes. As in the form. */
const MOST_WINDOWS = 10_000;

export function requireFewWindows(window: Window, what: string): void {
  if (!('slideMs' in window)) return;
  const windows = Math.ceil(window.sizeMs / window.slideMs);
  if (windows > MOST_WINDOWS)
    throw new RangeError(
      `${what} puts each record into ${windows} windows, each with a timer of its own; ${MOST_WINDOWS} are possible. Give it a longer slide.`,
    );
}

interface Given {
  readonly type?: unknown;
  readonly sizeMs?: number;
  readonly slideMs?: number;
  readonly offsetMs?: number;
  readonly gapMs?: number;
  readonly unit?: unknown;
  readonly zone?: unknown;
}

/** Also a year's worth of days either way: further it would not shift borders but rename windows. */
const MOST_OFFSET_MS = 366 * 86_400_000;

function requireCalendar({ unit, zone, offsetMs }: Given): void {
  if (!CALENDAR_UNITS.includes(unit as CalendarUnit)) {
    throw new TypeError(
      `The unit of a calendar window is ${JSON.stringify(unit)}; it is one of ${CALENDAR_UNITS.join(', ')}.`,
    );
  }
  if (typeof zone !== 'string' || !isZone(zone)) {
    throw new TypeError(
      `The zone of a calendar window is ${JSON.stringify(zone)}, which is unknown here; give an IANA name such as "Europe/Berlin".`,
    );
  }
  if (Math.abs(durationMs(offsetMs ?? 0, 'The offset of a calendar window')) > MOST_OFFSET_MS) {
    throw new RangeError('The offset of a calendar window is longer than a year.');
  }
}

function offsetOf(options: WindowOptions, slideMs: number, type: string): number {
  refuseUnknownOptions(options, ['offset', 'zone'], `The ${type} window`);
  const zone: string | undefined = options.zone;
  if (zone !== undefined && zone !== 'UTC') {
    throw new TypeError(
      `The ${type} window has the zone ${JSON.stringify(zone)}; windows of a fixed length know only "UTC". Shift them with "offset".`,
    );
  }
  const offsetMs = durationMs(options.offset ?? 0, `The offset of a ${type} window`) % slideMs;
  return offsetMs < 0 ? offsetMs + slideMs : offsetMs + 0;
}
