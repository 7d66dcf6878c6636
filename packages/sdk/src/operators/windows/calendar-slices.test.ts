import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarSlices } from './calendar-slices.ts';
import { type CalendarUnit, calendar } from './window.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function windowOf(unit: CalendarUnit, zone: string, text: string, offset: string | number = 0) {
  const slices = calendarSlices(calendar(unit, { zone, offset }));
  const start = slices.sliceOf(Date.parse(text)) as number;
  const end = slices.firstEnd(start);
  expect(slices.startOf(end)).toBe(start);
  expect(slices.lastEnd(start)).toBe(end);
  return [new Date(start).toISOString().slice(0, 16), (end - start) / HOUR];
}

describe('calendar windows', () => {
  it('N1: days have 23, 24 or 25 hours, as the clocks of their zone are changed', () => {
    expect(windowOf('day', 'Europe/Berlin', '2024-03-31T12:00Z')).toEqual(['2024-03-30T23:00', 23]);
    expect(windowOf('day', 'Europe/Berlin', '2024-07-01T12:00Z')).toEqual(['2024-06-30T22:00', 24]);
    expect(windowOf('day', 'Europe/Berlin', '2024-10-27T12:00Z')).toEqual(['2024-10-26T22:00', 25]);
    expect(windowOf('day', 'Australia/Lord_Howe', '2024-04-07T00:00Z')).toEqual(['2024-04-06T13:00', 24.5]);
    expect(windowOf('day', 'UTC', '2024-03-31T12:00Z')).toEqual(['2024-03-31T00:00', 24]);
  });

  it('N1: a day without midnight begins at its first moment, and one that a zone left out is none', () => {
    expect(windowOf('day', 'America/Sao_Paulo', '2018-11-04T12:00Z')).toEqual(['2018-11-04T03:00', 23]);
    // Samoa went from 29 December to 31 December.
    expect(windowOf('day', 'Pacific/Apia', '2011-12-30T09:59Z')).toEqual(['2011-12-29T10:00', 24]);
    expect(windowOf('day', 'Pacific/Apia', '2011-12-30T10:00Z')).toEqual(['2011-12-30T10:00', 24]);
  });

  it('N1: an hour that comes twice around midnight belongs to the day that has begun', () => {
    // At 00:01 the clocks went back to 23:01; 24:00 came twice.
    expect(windowOf('day', 'America/St_Johns', '2010-11-07T02:31Z')).toEqual(['2010-11-07T02:30', 25]);
    expect(windowOf('day', 'America/St_Johns', '2010-11-07T02:29Z')).toEqual(['2010-11-06T02:30', 24]);
    expect(windowOf('day', 'America/Havana', '2023-11-05T04:30Z')).toEqual(['2023-11-05T04:00', 25]);
  });

  it('N1: weeks begin on Monday, months, quarters and years on their first, and an offset shifts them on the clock', () => {
    expect(windowOf('week', 'UTC', '2024-09-01T12:00Z')).toEqual(['2024-08-26T00:00', 168]);
    expect(windowOf('week', 'UTC', '2024-09-01T12:00Z', '-1d')).toEqual(['2024-09-01T00:00', 168]);
    expect(windowOf('month', 'America/New_York', '2024-02-29T12:00Z')).toEqual(['2024-02-01T05:00', 29 * 24]);
    expect(windowOf('quarter', 'UTC', '2024-05-15T12:00Z')).toEqual(['2024-04-01T00:00', 91 * 24]);
    expect(windowOf('year', 'UTC', '2023-05-15T12:00Z')).toEqual(['2023-01-01T00:00', 365 * 24]);
    expect(windowOf('day', 'Europe/Berlin', '2024-03-31T03:59Z', '6h')).toEqual(['2024-03-30T05:00', 23]);
    expect(windowOf('day', 'Europe/Berlin', '2024-03-31T04:00Z', '6h')).toEqual(['2024-03-31T04:00', 24]);
  });

  it('N1: times before 1970, before the year 1 and beyond all dates have a window', () => {
    expect(windowOf('day', 'UTC', '1969-12-31T23:59:59.999Z')).toEqual(['1969-12-31T00:00', 24]);
    expect(windowOf('month', 'Europe/Paris', '1900-06-01T00:00Z')[0]).toBe('1900-05-31T23:50');
    expect(windowOf('year', 'UTC', '-000043-03-15T12:00Z')[1]).toBe(365 * 24);
    const slices = calendarSlices(calendar('year', { zone: 'Asia/Tokyo' }));
    for (const time of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 8.64e15, -8.64e15]) {
      const start = slices.sliceOf(time);
      expect(Number.isSafeInteger(start)).toBe(true);
      expect(slices.nextEnd(slices.firstEnd(start as number))).toBeGreaterThan(
        slices.firstEnd(start as number),
      );
    }
  });

  it('N1: is what a clock that is looked at minute by minute says, in any zone at any time', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ];
    const more = [
      'Australia/Lord_Howe',
      'America/St_Johns',
      'America/Havana',
      'Africa/Casablanca',
      'Asia/Tehran',
    ];
    const times = fc.integer({ min: Date.UTC(1975, 0) / MINUTE, max: Date.UTC(2030, 0) / MINUTE });
    // Most days are like another; those on which clocks are changed are what this is about.
    const near = fc
      .tuple(
        fc.integer({ min: 1975, max: 2029 }),
        fc.constantFrom(2, 3, 8, 9, 10),
        fc.integer({ min: 0, max: 50_000 }),
      )
      .map(([year, month, minute]) => Date.UTC(year, month) / MINUTE + minute);
    fc.assert(
      fc.property(fc.constantFrom(...zones, ...more), fc.oneof(times, near), (zone, minute) => {
        const slices = calendarSlices(calendar('day', { zone }));
        const time = minute * MINUTE;
        const start = slices.sliceOf(time) as number;
        expect([start, slices.firstEnd(start)]).toEqual(slowDay(zone, time));
      }),
      { numRuns: 60 },
    );
  });

  it('N1: windows lie side by side, each of them with all its times', () => {
    const units = fc.constantFrom<CalendarUnit>('day', 'week', 'month', 'quarter', 'year');
    const offsets = fc.constantFrom(0, 6 * HOUR, -30 * MINUTE, 100 * HOUR);
    const times = fc.integer({ min: Date.UTC(1930, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(
        units,
        offsets,
        times,
        fc.constantFrom('Europe/Dublin', 'America/Havana', 'Asia/Gaza'),
        (unit, offset, time, zone) => {
          const window = calendar(unit, { zone, offset });
          const slices = calendarSlices(window);
          const start = slices.sliceOf(time) as number;
          const end = slices.firstEnd(start);
          expect(start <= time && time < end).toBe(true);
          for (const other of [start, end - 1]) expect(slices.sliceOf(other)).toBe(start);
          expect(slices.sliceOf(end)).toBe(end);
          // What is remembered of other windows makes no difference.
          expect(calendarSlices(window).sliceOf(end - 1)).toBe(start);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('wrong settings are refused', () => {
    expect(() => calendar('hour' as never)).toThrow('"hour"; it is one of day, week, month');
    expect(() => calendar('day', { zone: 'Mars/Olympus' })).toThrow('"Mars/Olympus", which is unknown');
    expect(() => calendar('day', { offset: '400d' })).toThrow('longer than a year');
    expect(() => calendar('day', { size: '1d' } as never)).toThrow('no option "size"');
  });
});

/** The day of `time`, found by looking at the clock at every minute around it. */
function slowDay(zone: string, time: number): [number, number] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const from = time - 52 * HOUR;
  let latest = '';
  let [start, day] = [from, ''];
  for (let at = from; ; at += MINUTE) {
    const shown = format.format(at);
    // A clock that is set back shows what was before; the day that has begun goes on.
    if (shown > latest) latest = shown;
    if (latest.slice(0, 10) === day) continue;
    if (at > time) return [start, at];
    [start, day] = [at, latest.slice(0, 10)];
  }
}
