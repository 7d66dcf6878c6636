import type { SourceChunk } from '@millrace/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';
import { dueTimes } from './due-times.ts';
import { intervalConfig } from './spec.ts';

function cronOf(text: string, zone = 'UTC') {
  const parsed = parseCron(text);
  if (parsed.kind === 'fault') throw new Error(parsed.fault);
  return parsed.cron(zone);
}

/** All that is due from the first of these moments to the second. */
function due(text: string, zone: string, from: string, to: string): string[] {
  const cron = cronOf(text, zone);
  const found: string[] = [];
  for (let at = cron.next(Date.parse(from) - 1); at !== undefined && at <= Date.parse(to); at = cron.next(at))
    found.push(new Date(at).toISOString().slice(0, 16));
  return found;
}

describe('times of a calendar', () => {
  it('R21: half past two on the day that has none comes once, right behind the gap', () => {
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', '2026-03-31T00:00Z')).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    expect(due('0,30 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ]);
    expect(due('30 2 * * *', 'America/New_York', '2026-03-08T00:00Z', '2026-03-08T20:00Z')).toEqual([
      '2026-03-08T07:00',
    ]);
  });

  it('R21: half past one on the day that has two comes once, the first time', () => {
    expect(due('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', '2026-11-02T12:00Z')).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ]);
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('R21: what has no time of day goes by as minutes do, through an hour that comes twice', () => {
    expect(due('30 * * * *', 'Europe/Berlin', '2026-10-24T23:00Z', '2026-10-25T03:00Z')).toEqual([
      '2026-10-24T23:30',
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
    expect(due('*/20 * 29 3 *', 'Europe/Berlin', '2026-03-29T00:30Z', '2026-03-29T01:30Z')).toEqual([
      '2026-03-29T00:40',
      '2026-03-29T01:00',
      '2026-03-29T01:20',
    ]);
  });

  it('knows lists, ranges, steps and names, and days of month and week as cron has them', () => {
    expect(due('0 9-17/4 * * mon-fri', 'UTC', '2026-11-28T00:00Z', '2026-12-01T10:00Z')).toEqual([
      '2026-11-30T09:00',
      '2026-11-30T13:00',
      '2026-11-30T17:00',
      '2026-12-01T09:00',
    ]);
    expect(due('0 0 13 * 5', 'UTC', '2026-11-10T00:00Z', '2026-11-20T00:00Z')).toEqual([
      '2026-11-13T00:00',
      '2026-11-20T00:00',
    ]);
    expect(due('0 0 29 feb *', 'UTC', '2097-01-01T00:00Z', '2110-01-01T00:00Z')).toEqual([
      '2104-02-29T00:00',
      '2108-02-29T00:00',
    ]);
    expect(due('5 */8 * * *', 'UTC', '2026-11-28T01:00Z', '2026-11-29T00:00Z')).toEqual([
      '2026-11-28T08:05',
      '2026-11-28T16:05',
    ]);
    expect(due('0 0 * * 7', 'UTC', '2026-11-28T00:00Z', '2026-11-30T00:00Z')).toEqual(['2026-11-29T00:00']);
  });

  it('says what is wrong', () => {
    const fault = (config: object) =>
      intervalConfig.safeParse(config).error?.issues.map(({ path, message }) => `${path} ${message}`)[0];
    expect(fault({ at: '30 2 * *' })).toMatch(/^at has not five parts/);
    expect(fault({ at: '60 2 * * *' })).toMatch(/^at has "60" for the minute/);
    expect(fault({ at: '0 2-1 * * *' })).toMatch(/^at has "2-1" for the hour/);
    expect(fault({ at: '*/0 2 * * *' })).toMatch(/^at has "\*\/0" for the minute/);
    expect(fault({ at: '0 0 31 2 *' })).toMatch(/^at never comes/);
    expect(fault({})).toMatch(/^every is missing/);
    expect(fault({ at: '0 0 * * *', every: '1s' })).toMatch(/^at cannot be given/);
    expect(fault({ at: '0 0 * * *', count: 3 })).toMatch(/^count cannot be given/);
    expect(fault({ at: '0 0 * * *', zone: 'Mars/Base' })).toMatch(/^zone not an IANA/);
    expect(intervalConfig.safeParse({ at: '0 0 * * *', zone: 'Europe/Berlin' }).success).toBe(true);
  });

  it('R21: on every day of any zone a time of day comes once, and moments only go forward', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Casablanca',
    ];
    const time = fc.record({
      zone: fc.constantFrom(...zones),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
      from: fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2026, 0, 1) }),
    });
    fc.assert(
      fc.property(time, ({ zone, hour, minute, from }) => {
        const cron = cronOf(`${minute} ${hour} * * *`, zone);
        const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
        const days: string[] = [];
        let at = from;
        for (let i = 0; i < 400; i += 1) {
          const next = cron.next(at) ?? 0;
          expect(next).toBeGreaterThan(at);
          days.push(day.format(next));
          at = next;
        }
        expect(new Set(days).size).toBe(400);
        expect(Date.parse(days[399]!) - Date.parse(days[0]!)).toBe(399 * 86_400_000);
      }),
      { numRuns: 20 },
    );
  });
});

describe('records at times of a calendar', () => {
  const START = Date.UTC(2026, 10, 30, 12, 0, 30);
  const MINUTE = 60_000;
  const never = new AbortController().signal;

  async function played(text: string, offset: number, steps: number, start = START): Promise<SourceChunk[]> {
    let clock = start;
    const pause = async (ms: number) => {
      clock += ms;
      return true;
    };
    const chunks: SourceChunk[] = [];
    for await (const chunk of dueTimes(
      { cron: cronOf(text), now: () => clock, wait: pause },
      offset,
      never,
    )) {
      if (chunk.kind !== 'idle') chunks.push(chunk);
      if (chunks.length === steps) break;
    }
    return chunks;
  }
  const record = (time: number) => ({
    ...{ kind: 'ordinals', first: time / MINUTE, count: 1, time, everyMs: 0 },
  });

  it('come when they are due, each with that time', async () => {
    const first = Date.UTC(2026, 10, 30, 12, 1);
    expect(await played('* * * * *', 0, 2)).toEqual([record(first), record(first + MINUTE)]);
    expect(await played('0 13 * * *', 0, 1)).toEqual([record(Date.UTC(2026, 10, 30, 13))]);
  });

  it('T4: what went by while nothing ran comes once, as the last of it, and nothing that was handed over again', async () => {
    const mark = Date.UTC(2026, 10, 30, 9) / MINUTE + 1;
    expect(await played('0 * * * *', mark, 2)).toEqual([
      record(Date.UTC(2026, 10, 30, 12)),
      record(Date.UTC(2026, 10, 30, 13)),
    ]);
    expect(await played('* * * * *', Date.UTC(2016, 0, 1) / MINUTE, 1)).toEqual([
      record(Date.UTC(2026, 10, 30, 12)),
    ]);
    const before = START - 2 * 3_600_000;
    expect(await played('0 * * * *', Date.UTC(2026, 10, 30, 12) / MINUTE + 1, 1, before)).toEqual([
      record(Date.UTC(2026, 10, 30, 13)),
    ]);
  });
});
