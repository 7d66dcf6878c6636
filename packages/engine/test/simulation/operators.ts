/**
 * Operators of the SDK as nodes of simulated pipelines: what they make of all that comes in, as plain functions, and the
 * operators themselves, whose results become records that the next node can take.
 */
import {
  aggregate,
  type Computation,
  input,
  lookup,
  save,
  sessions,
  sum,
  tumbling,
  windowJoin,
} from '@millrace/sdk';
import { digest, keyOf, type PlainRecord, type Value, windowOf } from './record.ts';

export const OPERATOR_KINDS = ['aggregate', 'sessions', 'save', 'join', 'sessionJoin', 'lookup'] as const;
export type OperatorKind = (typeof OPERATOR_KINDS)[number];

export interface OperatorShape {
  readonly id: string;
  readonly kind: OperatorKind;
  /** Of its windows, or the gap of its sessions, in ms. */
  readonly size: number;
  /** Of a lookup: what it looks up in. */
  readonly table?: LookupTable | undefined;
}

/** The same at every reading. */
export interface LookupTable {
  readonly rows: readonly Value[];
  /** How many keys are made of its rows. */
  readonly groups: number;
}

/** Of two sides, each record with those of the other one in its window. */
export function isJoin({ kind }: { readonly kind: string }): boolean {
  return kind === 'join' || kind === 'sessionJoin';
}

export function isOperator<T extends { readonly kind: string }>(node: T): node is T & OperatorShape {
  return (OPERATOR_KINDS as readonly string[]).includes(node.kind);
}

/** What a node of windows writes of one. */
export function paneValue(node: { readonly id: string }, key: string, start: number, x: number): Value {
  return { id: `${node.id}/${key}/${start}`, g: digest(`${key}/${start}`) % 101, x };
}

// ---- as plain functions ------------------------------------------------------------------------------------

/** `side`: of a join, by record. */
export function plainOperator(
  node: OperatorShape,
  taken: readonly PlainRecord[],
  side: (record: PlainRecord) => string,
): PlainRecord[] {
  const byKey = grouped(taken, ({ key }) => key);
  const of = {
    aggregate: plainWindows,
    save: plainWindows,
    sessions: plainSessions,
    join: plainJoin,
    sessionJoin: plainSessionJoin,
    lookup: plainLookup,
  }[node.kind];
  return [...byKey].flatMap(([key, records]) => of(node, key, records, side));
}

function plainWindows(node: OperatorShape, key: string, records: readonly PlainRecord[]): PlainRecord[] {
  const windows = grouped(records, ({ timestamp }) => windowOf(timestamp, node.size));
  return [...windows].map(([start, inside]) => paneOf(node, key, start, start + node.size, inside));
}

function plainSessions(node: OperatorShape, key: string, records: readonly PlainRecord[]): PlainRecord[] {
  return sessionsOf(node, records).map((inside) =>
    paneOf(node, key, inside[0]?.timestamp ?? 0, endOf(node, inside), inside),
  );
}

function sessionsOf(node: OperatorShape, records: readonly PlainRecord[]): PlainRecord[][] {
  const panes: PlainRecord[][] = [];
  for (const record of records.toSorted((a, b) => a.timestamp - b.timestamp)) {
    const session = panes.at(-1);
    const last = session?.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY;
    if (session !== undefined && record.timestamp < last + node.size) session.push(record);
    else panes.push([record]);
  }
  return panes;
}

const endOf = ({ size }: OperatorShape, session: readonly PlainRecord[]): number =>
  (session.at(-1)?.timestamp ?? 0) + size;

function paneOf(
  node: OperatorShape,
  key: string,
  start: number,
  end: number,
  inside: readonly PlainRecord[],
): PlainRecord {
  const x = inside.reduce((total, { value }) => total + value.x, 0);
  return { key, value: paneValue(node, key, start, x), timestamp: end - 1 };
}

type Side = (record: PlainRecord) => string;

function plainJoin(
  node: OperatorShape,
  key: string,
  records: readonly PlainRecord[],
  side: Side,
): PlainRecord[] {
  const windows = grouped(records, ({ timestamp }) => windowOf(timestamp, node.size));
  return [...windows].flatMap(([start, inside]) => pairsIn(node, key, inside, start + node.size, side));
}

function plainSessionJoin(
  node: OperatorShape,
  key: string,
  records: readonly PlainRecord[],
  side: Side,
): PlainRecord[] {
  return sessionsOf(node, records).flatMap((inside) => pairsIn(node, key, inside, endOf(node, inside), side));
}

function pairsIn(
  node: OperatorShape,
  key: string,
  inside: readonly PlainRecord[],
  end: number,
  side: Side,
): PlainRecord[] {
  const on = (which: string) => inside.filter((record) => side(record) === which);
  return on('left').flatMap((a) =>
    on('right').map((b) => ({ key, value: pairOf(node, a.value, b.value), timestamp: end - 1 })),
  );
}

function plainLookup(node: OperatorShape, key: string, records: readonly PlainRecord[]): PlainRecord[] {
  const { rows, groups } = node.table ?? { rows: [], groups: 1 };
  const row = rows.find((each) => keyOf(each, groups) === key) ?? null;
  return records.map(({ value, timestamp }) => ({ key, value: foundOf(node, value, row), timestamp }));
}

function foundOf({ id }: OperatorShape, { id: of, g, x }: Value, row: Value | null): Value {
  return { id: `${of}.${id}`, g, x: row === null ? x : x + row.x };
}

function pairOf({ id }: OperatorShape, a: Value, b: Value): Value {
  return { id: `${a.id}+${b.id}.${id}`, g: (a.g + b.g) % 101, x: a.x + b.x };
}

function grouped<K>(records: readonly PlainRecord[], by: (record: PlainRecord) => K): Map<K, PlainRecord[]> {
  const groups = new Map<K, PlainRecord[]>();
  for (const record of records) groups.set(by(record), [...(groups.get(by(record)) ?? []), record]);
  return groups;
}

// ---- as code -----------------------------------------------------------------------------------------------

export function operatorOf(node: OperatorShape): Computation {
  const value = input<Value>();
  if (node.kind === 'lookup')
    return lookup(value, value, {
      kind: 'left',
      join: (left, row) => foundOf(node, left, row),
    }) as unknown as Computation;
  if (node.kind === 'save') return save(value, { every: node.size }) as unknown as Computation;
  const window = /sess/.test(node.kind) ? sessions(node.size) : tumbling(node.size);
  if (isJoin(node))
    return windowJoin(value, value, {
      window,
      join: (left, right) => pairOf(node, left, right),
    }) as unknown as Computation;
  return aggregate(value, {
    window,
    aggregates: { x: sum(({ x }: Value) => x) },
  }) as unknown as Computation;
}

interface Producing {
  readonly key: string;
  produce(stream: string, value: unknown, options?: { readonly pane?: { readonly start: number } }): void;
}

/** A pane's row becomes a record like any other. */
export function naming<C extends Producing>(node: OperatorShape, ctx: C): C {
  if (isJoin(node) || node.kind === 'lookup') return ctx;
  const produce: Producing['produce'] = (stream, row, options) => {
    const x = Array.isArray(row)
      ? row.reduce((total: number, each: Value) => total + each.x, 0)
      : (row as Value).x;
    ctx.produce(stream, paneValue(node, ctx.key, options?.pane?.start ?? 0, x), options);
  };
  return new Proxy(ctx, {
    get(target, name) {
      if (name === 'produce') return produce;
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}
