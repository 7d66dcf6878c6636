/**
 * Slices: event time cut at every beginning and every end of a window, so that a window is a run of whole
 * slices and a record belongs to exactly one (Krishnamurthy et al., *On-the-Fly Sharing for Streamed
 * Aggregation*, SIGMOD 2006, "paired windows"). Where the slide divides the size there is one slice a slide,
 * else two. A record costs one partial sum, whatever size and slide are.
 *
 * Pure arithmetic on integers, floor division for negative times. A slice is named by its start.
 */

import type { EventTime } from '../../api.ts';
import { LAST_DATE_MS, type SlidingWindow } from './window.ts';

export interface Slices {
  /** Start of the slice that holds `time`, or undefined between windows (slide > size). */
  sliceOf(time: EventTime): EventTime | undefined;
  /** End of the first window that contains the slice. */
  firstEnd(slice: EventTime): EventTime;
  /** End of the last window that contains the slice. */
  lastEnd(slice: EventTime): EventTime;
  /** Slices in `[from, to)`, where `from` is the beginning or the end of a window. */
  between(from: EventTime, to: EventTime): readonly EventTime[];
  /** Start of the window that ends here. */
  startOf(end: EventTime): EventTime;
  /** End of the window that follows the one that ends here. */
  nextEnd(end: EventTime): EventTime;
  /** Slices whose last window ends here. */
  leaving(end: EventTime): readonly EventTime[];
  /** How many slices a window has. */
  readonly perWindow: number;
  /** How much of event time a window shares with the one before it; 0 where windows lie side by side. */
  readonly sharedMs: number;
}

/** Windows side by side, which need not be equally long: a slice is a window. `follow` gives the end of a window. */
export function slicesSideBySide(
  startAtOrBefore: (time: EventTime) => EventTime,
  follow: (start: EventTime) => EventTime,
): Slices {
  return {
    sliceOf: startAtOrBefore,
    firstEnd: follow,
    lastEnd: follow,
    between(from, to) {
      const found: EventTime[] = [];
      for (let start = from; start < to; start = follow(start)) found.push(start);
      return found;
    },
    startOf: (end) => startAtOrBefore(end - 1),
    nextEnd: follow,
    leaving: (end) => [startAtOrBefore(end - 1)],
    perWindow: 1,
    sharedMs: 0,
  };
}

/** One window for all times. Its borders are those of dates, so that they can be written as such. */
export const GLOBAL_SLICES: Slices = slicesSideBySide(
  () => -LAST_DATE_MS,
  (start) => (start < LAST_DATE_MS ? LAST_DATE_MS : Number.POSITIVE_INFINITY),
);

export function slidingSlices(window: SlidingWindow): Slices {
  const { sizeMs, slideMs, offsetMs } = window;
  /** Ends lie this far behind beginnings; 0 where every end is a beginning. */
  const cut = sizeMs % slideMs;
  const sampled = slideMs > sizeMs;
  const beginningAtOrBefore = (time: EventTime): EventTime => {
    const rest = (time - offsetMs) % slideMs;
    return rest < 0 ? time - rest - slideMs : time - rest;
  };
  const between = (from: EventTime, to: EventTime): readonly EventTime[] => {
    const found: EventTime[] = [];
    for (let beginning = beginningAtOrBefore(from); beginning < to; beginning += slideMs) {
      if (beginning >= from) found.push(beginning);
      const second = beginning + cut;
      if (cut !== 0 && !sampled && second >= from && second < to) found.push(second);
    }
    return found;
  };
  return {
    sliceOf(time) {
      const beginning = beginningAtOrBefore(time);
      if (cut === 0 || time < beginning + cut) return beginning;
      return sampled ? undefined : beginning + cut;
    },
    firstEnd(slice) {
      const beginning = beginningAtOrBefore(slice);
      if (cut === 0) return beginning + slideMs;
      return slice < beginning + cut ? beginning + cut : beginning + cut + slideMs;
    },
    lastEnd: (slice) => beginningAtOrBefore(slice) + sizeMs,
    between,
    startOf: (end) => end - sizeMs,
    nextEnd: (end) => end + slideMs,
    leaving: (end) => between(end - sizeMs, Math.min(end, end - sizeMs + slideMs)),
    sharedMs: sizeMs - slideMs,
    perWindow: sampled ? 1 : Math.floor(sizeMs / slideMs) * (cut === 0 ? 1 : 2) + (cut === 0 ? 0 : 1),
  };
}
