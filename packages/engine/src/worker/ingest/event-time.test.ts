import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtedTime } from './doubted-time.ts';
import { type TimestampRule, toEventTime } from './event-time.ts';

const rule = (unit: TimestampRule['unit'] = 'ms', zone = 'UTC'): TimestampRule => ({ unit, zone });
const utc = (iso: string) => Date.parse(iso);

describe('toEventTime', () => {
  it('reads ISO 8601 in every form that a file has it in', () => {
    const at = utc('2015-07-15T10:20:30.123Z');
    for (const text of [
      '2015-07-15T10:20:30.123Z',
      '2015-07-15 10:20:30,123456789',
      '2015-07-15t10:20:30.1239z',
      '2015-07-15T12:20:30.123+02:00',
      '2015-07-15T12:20:30.123+0200',
      '2015-07-15T04:50:30.123-05:30',
      '+002015-07-15T10:20:30.123Z',
    ])
      expect(toEventTime(text, rule())).toBe(at);
    expect(toEventTime('2015-07-15', rule())).toBe(utc('2015-07-15T00:00:00Z'));
    expect(toEventTime('0050-01-01', rule())).toBe(utc('0050-01-01T00:00:00Z'));
  });

  it('keeps every written millisecond, in text and in seconds', () => {
    for (let ms = 0; ms < 1000; ms++) {
      const digits = String(ms).padStart(3, '0');
      expect(toEventTime(`2015-07-15T00:00:00.${digits}Z`, rule())).toBe(1436918400000 + ms);
      expect(toEventTime(Number(`1436918400.${digits}`), rule('s'))).toBe(1436918400000 + ms);
      expect(toEventTime(Number(`-1436918400.${digits}`), rule('s'))).toBe(-1436918400000 - ms);
    }
  });

  it('floors fractions, also below zero, and knows no −0', () => {
    expect(toEventTime(1.9999, rule('s'))).toBe(1999);
    expect(toEventTime(-0.5, rule())).toBe(-1);
    expect(toEventTime(-1, rule('us'))).toBe(-1);
    expect(toEventTime(1999, rule('us'))).toBe(1);
    expect(toEventTime(-1001n, rule('us'))).toBe(-2);
    expect(toEventTime(5n, rule('s'))).toBe(5000);
    for (const zero of [-0, 0, 0n, new Date(-0)]) expect(Object.is(toEventTime(zero, rule()), 0)).toBe(true);
  });

  it('W7: what is no time is an error, never 1970', () => {
    for (const value of [
      undefined,
      null,
      Number.NaN,
      Infinity,
      -Infinity,
      1e20,
      10n ** 400n,
      true,
      {},
      '',
      'yesterday',
      '2015-13-01',
      '2015-02-29',
      '2015-07-15T24:00:00Z',
      '2015-07-15T10:60:00Z',
      '2015-07-15T10:00:00+25:00',
      '2015-07-15T10:00:00+01:75',
      '1436918400000',
      new Date(Number.NaN),
    ])
      expect(() => toEventTime(value, rule())).toThrow(/timestamp/);
  });

  it('reads text without a zone in the injector’s zone, at both changes of the clocks', () => {
    const berlin = rule('ms', 'Europe/Berlin');
    expect(toEventTime('2024-07-01T12:00', berlin)).toBe(utc('2024-07-01T10:00:00Z'));
    expect(toEventTime('2024-07-01T12:00Z', berlin)).toBe(utc('2024-07-01T12:00:00Z'));
    // The hour that is not there counts on from before the change.
    expect(toEventTime('2024-03-31T02:30', berlin)).toBe(utc('2024-03-31T01:30:00Z'));
    expect(toEventTime('2024-03-10T02:30', rule('ms', 'America/New_York'))).toBe(utc('2024-03-10T07:30:00Z'));
    // The hour that comes twice is the earlier one.
    expect(toEventTime('2024-10-27T02:30', berlin)).toBe(utc('2024-10-27T00:30:00Z'));
    expect(toEventTime('2024-11-03T01:30', rule('ms', 'America/New_York'))).toBe(utc('2024-11-03T05:30:00Z'));
    expect(toEventTime('0050-01-01', berlin)).toBeLessThan(utc('0050-01-01T00:00:00Z'));
  });

  it('gives back any instant written on a wall clock, or the same clock time an hour before', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    const instant = fc.integer({
      min: utc('1975-01-01T00:00Z') / 60_000,
      max: utc('2037-01-01T00:00Z') / 60_000,
    });
    fc.assert(
      fc.property(instant, fc.constantFrom(...zones), (minutes, zone) => {
        const at = minutes * 60_000;
        const wall = (time: number) => new Date(time).toLocaleString('sv-SE', { timeZone: zone });
        const read = toEventTime(wall(at), rule('ms', zone));
        expect(wall(read)).toBe(wall(at));
        expect([0, 30 * 60_000, 3_600_000]).toContain(at - read);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a time in a wrong unit', () => {
  const now = utc('2026-01-01');
  const told = (raw: unknown, unit: TimestampRule['unit']) =>
    doubtedTime(raw, { time: toEventTime(raw, rule(unit)), unit, now });

  it('R121: is told with what it would be in the larger one', () => {
    expect(told(1_436_918_400, 'ms')).toBe(
      'timestamp 1436918400 is 1970-01-17T15:08:38.400Z when it is read in ms; in s it would be 2015-07-15T00:00:00.000Z: set the timestamp unit if that is what it is',
    );
    expect(told(1_436_918_400n, 'ms')).toContain('in s it would be 2015');
    expect(told(1_436_918_400_000, 'us')).toContain('in ms it would be 2015');
    expect(told(1_436_918_400, 'us')).toContain('in s it would be 2015');
  });

  it('R121: and whatever may be meant is not', () => {
    for (const raw of [0, 1, -5, 1000, 86_400_000, 9_876_543_210, 1_436_918_400_000])
      expect([raw, told(raw, 'ms')]).toEqual([raw, undefined]);
    expect(told('1970-01-17', 'ms')).toBeUndefined();
    expect(told(new Date(1_436_918_400), 'ms')).toBeUndefined();
    expect(told(1_436_918_400, 's')).toBeUndefined();
    expect(told(1_436_918_400_000_000, 'us')).toBeUndefined();
  });
});
