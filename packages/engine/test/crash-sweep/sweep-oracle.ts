/** What one run must end with, by a plain computation over the input: no state, no time, no order of arrival. */
import { BUCKET_MS, GROUPS, type SweepEvent, type SweepInput } from './sweep-input.ts';

export interface NodeNumbers {
  readonly in: number;
  readonly out: number;
  readonly deadLettered: number;
}

export interface Expected {
  /** Canonical JSON of each line or row; order does not count. */
  readonly lines: readonly string[];
  readonly panes: readonly string[];
  readonly appended: readonly string[];
  readonly totals: readonly string[];
  /** Its table refuses some rows for their content. */
  readonly strict: readonly string[];
  /** `node origin`, for dead letters whose place is known, else `node id`. */
  readonly deadLetters: readonly string[];
  readonly nodes: Readonly<Record<string, NodeNumbers>>;
}

export function expectedOf(input: SweepInput): Expected {
  const users = new Map<string, { n: number; sum: number; seen: number; buckets: Map<number, number> }>();
  const windows = new Map<string, { group: string; window: number; records: number }>();
  const totals = new Map<string, number>();
  const lines: unknown[] = [];
  const strict: unknown[] = [];
  let refused = 0;
  const deadLetters: string[] = [];
  const nodes = { events: zero(), more: zero(), tally: zero(), dawdle: zero(), second: zero() };

  const toSecond = (group: number, timestamp: number): void => {
    const key = String(group);
    const window = floorTo(timestamp);
    const slot = windows.get(`${key}/${window}`) ?? { group: key, window, records: 0 };
    slot.records++;
    windows.set(`${key}/${window}`, slot);
    totals.set(key, (totals.get(key) ?? 0) + 1);
    nodes.second.in++;
    nodes.second.out++;
  };
  const take = (event: SweepEvent): void => {
    const { id, at, x, does } = event;
    nodes.tally.in++;
    if (event.user === null || does === 'throw') {
      nodes.tally.deadLettered++;
      deadLetters.push(`n_tally ${id}`);
      return;
    }
    const user = users.get(event.user) ?? { n: 0, sum: 0, seen: 0, buckets: new Map<number, number>() };
    users.set(event.user, user);
    user.n++;
    user.sum += x;
    user.buckets.set(floorTo(at), (user.buckets.get(floorTo(at)) ?? 0) + 1);
    nodes.tally.out += 2;
    nodes.dawdle.in++;
    if (does !== 'reject') strict.push({ id: String(id), mark: String(id) });
    else {
      refused++;
      deadLetters.push(`n_strict ${id}`);
      nodes.dawdle.deadLettered++;
      deadLetters.push(`n_dawdle ${id}`);
      return;
    }
    nodes.dawdle.out++;
    lines.push({ key: event.user, value: { id, n: user.n, seen: ++user.seen }, timestamp: at });
    toSecond(id % GROUPS, at);
  };

  for (const [name, file] of Object.entries(input.files) as [
    'events' | 'more',
    SweepInput['files']['more'],
  ][]) {
    let offset = 0;
    for (const { text, event } of file) {
      nodes[name].in++;
      if (event === undefined) {
        nodes[name].deadLettered++;
        deadLetters.push(`n_${name} ${name}.jsonl at offset ${offset}`);
      } else {
        nodes[name].out++;
        take(event);
      }
      offset += Buffer.byteLength(text) + 1;
    }
  }

  const appended: unknown[] = [];
  for (const [name, { n, sum, buckets }] of users) {
    for (const [bucket, count] of buckets) {
      appended.push({ key: name, value: { bucket, count } });
      toSecond((bucket / BUCKET_MS) % GROUPS, bucket + BUCKET_MS - 1);
      nodes.tally.out++;
    }
    appended.push({ key: name, value: { timer: 'soon' } });
    appended.push({ key: name, value: { timer: 'end', n, sum } });
    nodes.tally.out += 2;
  }
  const panes = [...windows.values()].map(({ group, window, records }) => ({
    key: group,
    value: { window, records },
    timestamp: window + BUCKET_MS - 1,
  }));
  nodes.second.out += panes.length;
  const rows = [...totals].map(([key, total]) => ({ key, value: { total } }));
  const totalsIn = [...totals.values()].reduce((sum, n) => sum + n, 0);
  return {
    lines: canonical(lines),
    panes: canonical(panes),
    appended: canonical(appended),
    totals: canonical(rows),
    strict: canonical(strict),
    deadLetters: deadLetters.sort(),
    nodes: {
      ...nodes,
      lines: sink(lines.length),
      panes: sink(panes.length),
      appended: sink(appended.length),
      strict: { in: strict.length + refused, out: strict.length, deadLettered: refused },
      totals: sink(totalsIn),
    },
  };
}

/** Sorted texts that are equal exactly when the sets of values are. */
export function canonical(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(sorted(value))).sort();
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function floorTo(time: number): number {
  return Math.floor(time / BUCKET_MS) * BUCKET_MS;
}

function zero(): { in: number; out: number; deadLettered: number } {
  return { in: 0, out: 0, deadLettered: 0 };
}

function sink(rows: number): NodeNumbers {
  return { in: rows, out: rows, deadLettered: 0 };
}
