/**
 * Operators of the SDK as nodes of simulated pipelines: what they make of all that comes in, as plain functions, and the
 * operators themselves, whose results become records that the next node can take.
 */
import { aggregate, type Computation, input, sessions, sum, tumbling, windowJoin } from '@millrace/sdk';
import { digest, type PlainRecord, type Value, windowOf } from './record.ts';

export const OPERATOR_KINDS = ['aggregate', 'sessions', 'join'] as const;
export type OperatorKind = (typeof OPERATOR_KINDS)[number];

export interface OperatorShape {
  readonly id: string;
  readonly kind: OperatorKind;
  /** Of its windows, or the gap of its sessions, in ms. */
  readonly size: number;
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
  const of = { aggregate: plainWindows, sessions: plainSessions, join: plainJoin }[node.kind];
  return [...byKey].flatMap(([key, records]) => of(node, key, records, side));
}

function plainWindows(node: OperatorShape, key: string, records: readonly PlainRecord[]): PlainRecord[] {
  const windows = grouped(records, ({ timestamp }) => windowOf(timestamp, node.size));
  return [...windows].map(([start, inside]) => paneOf(node, key, start, start + node.size, inside));
}

function plainSessions(node: OperatorShape, key: string, records: readonly PlainRecord[]): PlainRecord[] {
  const panes: PlainRecord[][] = [];
  for (const record of records.toSorted((a, b) => a.timestamp - b.timestamp)) {
    const session = panes.at(-1);
    const last = session?.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY;
    if (session !== undefined && record.timestamp < last + node.size) session.push(record);
    else panes.push([record]);
  }
  return panes.map((inside) => {
    const end = (inside.at(-1)?.timestamp ?? 0) + node.size;
    return paneOf(node, key, inside[0]?.timestamp ?? 0, end, inside);
  });
}

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

function plainJoin(
  node: OperatorShape,
  key: string,
  records: readonly PlainRecord[],
  side: (record: PlainRecord) => string,
): PlainRecord[] {
  const windows = grouped(records, ({ timestamp }) => windowOf(timestamp, node.size));
  return [...windows].flatMap(([start, inside]) => {
    const on = (which: string) => inside.filter((record) => side(record) === which);
    return on('left').flatMap((a) =>
      on('right').map((b) => ({
        key,
        value: pairOf(node, a.value, b.value),
        timestamp: start + node.size - 1,
      })),
    );
  });
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
  if (node.kind === 'join')
    return windowJoin(input<Value>(), input<Value>(), {
      window: tumbling(node.size),
      join: (left, right) => pairOf(node, left, right),
    }) as unknown as Computation;
  const window = node.kind === 'aggregate' ? tumbling(node.size) : sessions(node.size);
  return aggregate(input<Value>(), {
    window,
    aggregates: { x: sum((value: Value) => value.x) },
  }) as unknown as Computation;
}

interface Producing {
  readonly key: string;
  produce(stream: string, value: unknown, options?: { readonly pane?: { readonly start: number } }): void;
}

/** A pane's row becomes a record like any other. */
export function naming<C extends Producing>(node: OperatorShape, ctx: C): C {
  if (node.kind === 'join') return ctx;
  const produce: Producing['produce'] = (stream, row, options) =>
    ctx.produce(stream, paneValue(node, ctx.key, options?.pane?.start ?? 0, (row as Value).x), options);
  return new Proxy(ctx, {
    get(target, name) {
      if (name === 'produce') return produce;
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}
