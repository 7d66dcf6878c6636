import type { Progress } from '@millrace/engine';
import { duration } from '../text/numbers.ts';

type Watermark = Progress['nodes'][number]['watermark'];

const dayMs = 86_400_000;

/**
 * A watermark in words (W4: "not yet", "idle" and "ended" are states, never numbers). Times are UTC, with the
 * date where it is not today's; "behind" stands only for live data, replayed history is behind by years.
 */
export function watermarkText(watermark: Watermark, now: number): string {
  switch (watermark.kind) {
    case 'not-yet':
      return 'not yet';
    case 'idle':
      return 'idle';
    case 'ended':
      return 'ended';
    case 'at':
      return timeText(watermark.time, now);
  }
}

function timeText(time: number, now: number): string {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return String(time);
  const text = new Date(time).toISOString();
  const at = text.indexOf('T');
  const clock = text.slice(at + 1, at + 9);
  const behind = now - time;
  if (behind >= 0 && behind < dayMs) return `${clock} · ${duration(behind)} behind`;
  return `${text.slice(0, at)} ${clock}`;
}
