/** What a timestamp expression gives, as event time (sdk.md); throws what the dead letter will say. */
export interface TimestampRule {
  readonly unit: 's' | 'ms' | 'us';
  /** For text without a zone. */
  readonly zone: string;
}

export function toEventTime(value: unknown, rule: TimestampRule): number {
  const time = inMs(value, rule);
  // Also −0, which must not name a window "−0".
  const floored = Math.floor(time) + 0;
  if (!(Math.abs(floored) <= 8.64e15))
    throw new RangeError(
      `timestamp ${shown(value)} is outside the range of dates: check the unit ("s", "ms" or "us")`,
    );
  return floored;
}

function inMs(value: unknown, rule: TimestampRule): number {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`timestamp is ${value}: the record has no usable time`);
    return rule.unit === 'ms' ? value : rule.unit === 's' ? fromSeconds(value) : value / 1000;
  }
  if (typeof value === 'bigint') {
    return Number(rule.unit === 'ms' ? value : rule.unit === 's' ? value * 1000n : floorDiv(value, 1000n));
  }
  if (value instanceof Date) {
    const time = value.getTime();
    if (Number.isNaN(time)) throw new RangeError('timestamp is an invalid date');
    return time;
  }
  if (typeof value === 'string') return parseText(value, rule.zone);
  throw new TypeError(
    `timestamp is ${value === undefined ? 'missing' : shown(value)}: it must be a number, a bigint, a Date or ISO 8601 text`,
  );
}

/** 1.001 · 1000 is 1000.9999…, which floors to the wrong millisecond: what was written as whole ms stays so. */
function fromSeconds(seconds: number): number {
  const whole = Math.round(seconds * 1000);
  return whole / 1000 === seconds ? whole : seconds * 1000;
}

const ISO =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

function parseText(text: string, zone: string): number {
  const match = ISO.exec(text);
  if (match === null)
    throw new RangeError(
      `timestamp ${shown(text)} is not ISO 8601 (like 2015-07-15T10:00:00Z): convert it in the timestamp expression`,
    );
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = match;
  const parts = [month, day, hour, minute, second].map(Number) as [number, number, number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), parts[0] - 1, parts[1]);
  date.setUTCHours(parts[2], parts[3], parts[4], 0);
  if (
    date.getUTCMonth() !== parts[0] - 1 ||
    date.getUTCDate() !== parts[1] ||
    parts[2] > 23 ||
    parts[3] > 59 ||
    parts[4] > 59 ||
    !isOffset(offset)
  ) {
    throw new RangeError(`timestamp ${shown(text)} is not a date that exists`);
  }
  const wall = date.getTime() + Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (offset === undefined) return zone === 'UTC' ? wall : wall - zoneOffset(wall, zone);
  if (offset.toUpperCase() === 'Z') return wall;
  const sign = offset.startsWith('-') ? -1 : 1;
  return wall - sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000;
}

function isOffset(offset: string | undefined): boolean {
  if (offset === undefined || offset.toUpperCase() === 'Z') return true;
  return Number(offset.slice(1, 3)) <= 23 && Number(offset.slice(-2)) <= 59;
}

/**
 * Offset of a zone at a wall-clock time. In the hour that an autumn change repeats, the earlier one is taken; a
 * time that a spring change leaves out counts on from before it (02:30 is 03:30).
 */
function zoneOffset(wall: number, zone: string): number {
  const before = offsetAt(wall - DAY_MS, zone);
  if (offsetAt(wall - before, zone) === before) return before;
  const after = offsetAt(wall + DAY_MS, zone);
  return offsetAt(wall - after, zone) === after ? after : before;
}

const DAY_MS = 86_400_000;
/** Zones did not change before this (year 1000), and years before 100 read as 19xx. */
const EARLIEST = -3.06e13;

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(at: number, zone: string): number {
  const instant = Math.max(at, EARLIEST);
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
  const wall = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  );
  return wall - Math.floor(instant / 1000) * 1000;
}

function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 100))
    : typeof value === 'object' && value !== null
      ? 'an object'
      : String(value);
}
