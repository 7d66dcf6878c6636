/** Windows as settings: what `aggregate` cuts event time into. Half-open `[start, end)` (N1). */

import type { Duration } from '../../api.ts';
import { durationMs, positiveMs } from '../duration.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';

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

export type Window = SlidingWindow | SessionWindow;

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

/** A window that did not come from the functions above (plain JavaScript, hand-made objects). */
export function requireWindow(window: unknown): asserts window is Window {
  const given = (window ?? {}) as Partial<SlidingWindow & Omit<SessionWindow, 'type'>> & { type?: unknown };
  if (given.type === 'tumbling' || given.type === 'hopping') {
    positiveMs(given.sizeMs ?? 0, 'The size of the window');
    positiveMs(given.slideMs ?? 0, 'The slide of the window');
    durationMs(given.offsetMs ?? 0, 'The offset of the window');
  } else if (given.type === 'session') {
    positiveMs(given.gapMs ?? 0, 'The gap of the window');
  } else {
    throw new TypeError('aggregate needs a window: tumbling(…), hopping(…) or sessions(…).');
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
