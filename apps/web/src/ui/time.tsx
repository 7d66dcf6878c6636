import { useEffect, useState } from 'react';
import { formatAgo, formatClock, formatDay, formatIso, formatMoment } from '../text/format-time.ts';
import { useTimeZone } from '../text/time-zone.ts';

const MINUTE_MS = 60_000;

export interface WallTimeProps {
  /** UTC ms. */
  readonly at: number;
  readonly as?: 'moment' | 'day' | 'ago' | 'clock';
}

const FORMATS = { moment: formatMoment, day: formatDay, ago: formatAgo, clock: formatClock };

/** When something happened, in the viewer's zone. Copied, it is ISO 8601 with its offset (`shell/copy-times.ts`). */
export function WallTime({ at, as = 'moment' }: WallTimeProps) {
  useTimeZone();
  useMinutes(as === 'ago');
  return (
    <time dateTime={formatIso(at)} {...(as !== 'moment' && { title: formatMoment(at) })}>
      {FORMATS[as](at)}
    </time>
  );
}

/** What data says about when it happened: never to be mistaken for the clock on the wall. */
export function EventTime({ at, as = 'clock' }: WallTimeProps) {
  useTimeZone();
  return (
    <time data-time="event" dateTime={formatIso(at)} title={formatIso(at)}>
      {FORMATS[as](at)}
    </time>
  );
}

/** Draws again every minute: "4 min ago" does not stay true by itself. */
function useMinutes(isOn: boolean): void {
  const [, setRound] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setRound((round) => round + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}
