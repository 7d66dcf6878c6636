/**
 * Times of a calendar, as cron writes them: minute, hour, day of the month, month, day of the week, by the clocks of a
 * zone. Pure and browser-safe.
 *
 * Where the clocks are changed: a time of day that is left out (02:30 in spring) comes at the first moment behind the
 * gap; one that comes twice (in autumn) counts the first time. With `*` for the hour there is no time of day: every
 * minute that fits counts as it goes by, also an hour that comes twice. What falls on one moment comes once.
 */
export interface Cron {
  /** The first due moment behind `after`; undefined: there is none any more. */
  next(after: number): number | undefined;
}

export type ParsedCron =
  | { readonly kind: 'cron'; readonly cron: (zone: string) => Cron }
  | { readonly kind: 'fault'; readonly fault: string };

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  {
    name: 'day of the week',
    least: 0,
    most: 7,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
];

interface Fields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly isDay: (date: Date) => boolean;
  /** No time of day: the hour is `*`. */
  readonly isEveryHour: boolean;
}

export function parseCron(text: string): ParsedCron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5)
    return fault('has not five parts: minute, hour, day of the month, month, day of the week');
  const sets: ReadonlySet<number>[] = [];
  for (const [i, field] of FIELDS.entries()) {
    const set = setOf(parts[i] ?? '', field);
    if (set === undefined) return fault(`has ${JSON.stringify(parts[i])} for the ${field.name}`);
    sets.push(set);
  }
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const [anyDay, anyWeekday] = [isAny(parts[2]), isAny(parts[4])];
  const isDay = (date: Date): boolean => {
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const [day, weekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    // As cron has it: with both given, one of them is enough.
    return anyDay || anyWeekday ? day && weekday : day || weekday;
  };
  const fields: Fields = {
    minutes: sorted(minutes),
    hours: sorted(hours),
    isDay,
    isEveryHour: isAny(parts[1]),
  };
  if (nextDay(fields, Date.UTC(2000, 0, 1)) === undefined) return fault('never comes: no month has that day');
  return { kind: 'cron', cron: (zone) => cronOf(fields, zone) };
}

const fault = (text: string): ParsedCron => ({ kind: 'fault', fault: text });
const isAny = (part: string | undefined): boolean => part?.startsWith('*') ?? false;
const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);

function setOf(text: string, { least, most, names }: Field): Set<number> | undefined {
  const numberOf = (part: string): number => {
    const named = names?.indexOf(part.toLowerCase()) ?? -1;
    if (named >= 0) return named + least;
    return /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
  };
  const set = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
    const [first = '', last, ...more] = range.split('-');
    const from = range === '*' ? least : numberOf(first);
    const to = range === '*' ? most : last !== undefined ? numberOf(last) : step === undefined ? from : most;
    const isRange = from >= least && to <= most && from <= to && every >= 1;
    if (!isRange || rest.length > 0 || more.length > 0) return undefined;
    for (let value = from; value <= to; value += every) set.add(value);
  }
  return set;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 29 February comes after eight years at most. */
const MOST_DAYS = 366 * 9;

/** Midnight, on the clock, of the first day from that of `clock` on that fits. */
function nextDay({ isDay }: Fields, clock: number): number | undefined {
  const first = Math.floor(clock / DAY_MS) * DAY_MS;
  for (let i = 0; i < MOST_DAYS; i += 1) if (isDay(new Date(first + i * DAY_MS))) return first + i * DAY_MS;
  return undefined;
}

function cronOf(fields: Fields, zone: string): Cron {
  const offsetAt = offsetsOf(zone);
  return { next: (after) => (fields.isEveryHour ? byMinutes : byClock)(fields, offsetAt, after) };
}

/** Times of day, in the order of the clock, at the first moment that shows them. */
function byClock(fields: Fields, offsetAt: OffsetAt, after: number): number | undefined {
  const { hours, minutes } = fields;
  // A gap is three hours at most: what it left out is looked at, too.
  let from = after + offsetAt(after) - 3 * HOUR_MS;
  for (;;) {
    const day = nextDay(fields, from);
    if (day === undefined) return undefined;
    for (const hour of hours)
      for (const minute of minutes) {
        const clock = day + hour * HOUR_MS + minute * MINUTE_MS;
        if (clock < from) continue;
        const at = firstAt(clock, offsetAt);
        if (at > after) return at;
      }
    from = day + DAY_MS;
  }
}

/** Every minute as it goes by. */
function byMinutes(fields: Fields, offsetAt: OffsetAt, after: number): number | undefined {
  const [hours, minutes] = [new Set(fields.hours), new Set(fields.minutes)];
  let at = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  for (;;) {
    const clock = Math.floor((at + offsetAt(at)) / MINUTE_MS) * MINUTE_MS;
    const day = nextDay(fields, clock);
    if (day === undefined) return undefined;
    if (day > clock) {
      // Near it, minute by minute: its beginning may be moved by a change of the clocks.
      at += Math.max(day - clock - 4 * HOUR_MS, MINUTE_MS);
      continue;
    }
    const shown = new Date(clock);
    if (hours.has(shown.getUTCHours()) && minutes.has(shown.getUTCMinutes())) return at;
    at += MINUTE_MS;
  }
}

type OffsetAt = (time: number) => number;

function firstAt(clock: number, offsetAt: OffsetAt): number {
  const [before, behind] = [offsetAt(clock - DAY_MS), offsetAt(clock + DAY_MS)];
  const shown = [clock - before, clock - behind].filter((at) => at + offsetAt(at) === clock);
  if (shown.length > 0) return Math.min(...shown);
  // Left out: where the clocks are put forward.
  let [low, high] = [clock - behind, clock - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function offsetsOf(zone: string): OffsetAt {
  if (zone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const second = Math.floor(time / 1000) * 1000;
    const fields = new Map(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const of = (name: Intl.DateTimeFormatPartTypes): number => fields.get(name) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - second;
  };
}
