/**
 * The kinds of computations that simulated pipelines are made of, each twice: as the code that workers run, and as a
 * plain function over everything that comes in. What comes out follows from what comes in, whatever its order.
 *
 * The code watches the engine as well: a late record, a watermark that goes back, a timer out of order, a production
 * that was overtaken are errors that it throws, and so dead letters that nobody expects.
 */
import { type Computation, type Context, computation } from '@millrace/sdk';
import {
  isOperator,
  type LookupTable,
  naming,
  OPERATOR_KINDS,
  type OperatorKind,
  type OperatorShape,
  operatorOf,
  paneValue,
  plainOperator,
} from './operators.ts';
import { digest, type PlainRecord, type Value, windowOf } from './record.ts';

export const NODE_KINDS = ['relay', 'tally', 'window', 'delay', 'async', 'notes', ...OPERATOR_KINDS] as const;
export type NodeKind = (typeof NODE_KINDS)[number] | 'observer';

export interface NodeShape {
  readonly id: string;
  readonly kind: NodeKind;
  /** Of `window`, in ms. */
  readonly size: number;
  /** Every so many records, by their ids, throws for the first time in the whole run. */
  readonly flakes: boolean;
  /** Some throw always. */
  readonly poisoned: boolean;
  /** Some never return. */
  readonly deadly: boolean;
  /** Of a lookup. */
  readonly table?: LookupTable | undefined;
  /** In some, by their ids, the machine gives the worker nothing for longer than it may be silent. */
  readonly starved: boolean;
}

/** Of a node in a version. */
export interface Age {
  readonly version: number;
  /** Its `stateVersion`. */
  readonly schema: number;
  /** The version with which it came: older state is dropped. */
  readonly since: number;
}

/** What code can do to the run it is part of. */
export interface Hands {
  /** What has thrown once, in the whole run. */
  readonly flaked: Set<string>;
  /** The worker that runs the caller does nothing any more. */
  hang(): void;
  /** It goes on so many ms later. */
  stall(ms: number): void;
  /** How often the machine has stood still in an input. */
  readonly stalls: Map<string, number>;
}

interface State {
  n: number;
  sum: number;
  sent: number;
  watermark: number | null;
  fired: number | null;
  /** Its latest caller's. */
  version: number;
  /** How it is shaped. */
  schema: number;
}
type Outputs = { out: Value; end: Value };
type Ctx = Context<Outputs, State, { maps: Maps }>;
interface Maps {
  seen: number;
  counts: number;
  delayed: Value;
  notes: string;
}

const FRESH = { n: 0, sum: 0, sent: 0, watermark: null, fired: null } as const;
const DAY_MS = 86_400_000;

/** It ends as a dead letter. */
export function isPoison(node: NodeShape, { id }: Value): boolean {
  return (node.poisoned && digest(id) % 17 === 0) || isDeadly(node, id);
}

function isDeadly({ deadly }: NodeShape, id: string): boolean {
  return deadly && digest(id) % 41 === 7;
}

// ---- as a plain function ---------------------------------------------------------------------------------

/** One that is written here. */
type OwnShape = NodeShape & { readonly kind: Exclude<NodeKind, OperatorKind> };

export interface PlainOutputs {
  readonly out: readonly PlainRecord[];
  /** Once a key, when all input has ended; its time is nobody's business. */
  readonly end: readonly PlainRecord[];
}

/** `side`: of a join, the input that a record came on. */
export function plainOutputs(
  node: NodeShape,
  given: readonly PlainRecord[],
  side: (record: PlainRecord) => string,
): PlainOutputs {
  const taken = given.filter(({ value }) => !isPoison(node, value));
  if (isOperator(node)) return { out: plainOperator(node, taken, side), end: [] };
  const copies = taken.map((record) => ({ ...record, value: copyOf(node, record.value) }));
  switch (node.kind) {
    case 'relay':
      return { out: copies.filter((_, i) => passes(taken[i] as PlainRecord)), end: [] };
    case 'tally':
      return { out: copies, end: totals(node, taken) };
    case 'window':
      return { out: windows(node, taken), end: [] };
    default:
      return { out: copies, end: [] };
  }
}

function passes({ value }: { readonly value: Value }): boolean {
  return value.x % 5 !== 0;
}

function copyOf(node: NodeShape, { id, g, x }: Value): Value {
  return { id: `${id}.${node.id}`, g: (g * 7 + x) % 101, x };
}

function totals(node: NodeShape, taken: readonly PlainRecord[]): PlainRecord[] {
  const sums = new Map<string, number>();
  for (const { key, value } of taken) sums.set(key, (sums.get(key) ?? 0) + value.x);
  return [...sums].map(([key, x]) => ({ key, value: endValue(node, key, x), timestamp: 0 }));
}

function endValue(node: NodeShape, key: string, x: number): Value {
  return { id: `end/${node.id}/${key}`, g: 0, x };
}

function windows(node: NodeShape, taken: readonly PlainRecord[]): PlainRecord[] {
  const sums = new Map<string, { key: string; window: number; x: number }>();
  for (const { key, value, timestamp } of taken) {
    const window = windowOf(timestamp, node.size);
    const sum = sums.get(`${key}/${window}`) ?? { key, window, x: 0 };
    sum.x += value.x;
    sums.set(`${key}/${window}`, sum);
  }
  return [...sums.values()].map(({ key, window, x }) => ({
    key,
    value: paneValue(node, key, window, x),
    timestamp: window + node.size - 1,
  }));
}

// ---- as code ---------------------------------------------------------------------------------------------

export function codeOf(node: NodeShape, age: Age, hands: Hands): Computation {
  return isOperator(node) ? operatorCode(node, age, hands) : ownCode(node as OwnShape, age, hands);
}

/** The operator, behind what every node may do to the run. */
function operatorCode(node: NodeShape & OperatorShape, age: Age, hands: Hands): Computation {
  const operator = operatorOf(node);
  const { processRecord, processTimer } = operator.handlers;
  return {
    ...operator,
    handlers: {
      ...operator.handlers,
      stateVersion: age.schema,
      migrateState: (old: unknown) => old,
      processRecord(record: Incoming, ctx: Ctx) {
        // A row of a table comes with every reading, and is no record that anybody counts.
        if (node.kind !== 'lookup' || record.stream !== 'right') meet(node, record, ctx, hands);
        return processRecord?.(record as never, naming(node, ctx as never));
      },
      processTimer: (timer: never, ctx: never) => processTimer?.(timer, naming(node, ctx)),
    },
  };
}

/** What may happen to a call before its node does anything. */
function meet(node: NodeShape, { value, late, timestamp }: Incoming, ctx: Ctx, hands: Hands): void {
  if (isDeadly(node, value.id)) hands.hang();
  starve(node, value.id, hands);
  if (isPoison(node, value)) throw new RangeError('poison');
  if (late) throw new Error(`late by ${(ctx.watermark ?? 0) - timestamp} ms`);
  flake(node, value, ctx, hands.flaked);
}

function ownCode(node: OwnShape, age: Age, hands: Hands): Computation {
  const take = (record: Incoming, ctx: Ctx): State => {
    const { value } = record;
    meet(node, record, ctx, hands);
    const state = stateOf(ctx, age);
    watchWatermark(state, ctx);
    watchOrder(value, ctx);
    state.n++;
    state.sum += value.x;
    return state;
  };
  const handlers = HANDLERS[node.kind];
  return computation<Record<string, Value>, Outputs, State, { maps: Maps }>({
    stateVersion: age.schema,
    migrateState(old, from) {
      const state = old as State;
      if (from >= age.schema) throw new Error(`state of schema ${from} in a version that has ${age.schema}`);
      if (state.schema !== from) throw new Error(`migrated twice: from ${from}, but it is ${state.schema}`);
      return { ...state, schema: age.schema };
    },
    processRecord: (record, ctx) => handlers.record(node, record as Incoming, ctx, take),
    processTimer(timer, ctx) {
      const state = stateOf(ctx, age);
      watchWatermark(state, ctx);
      if (timer.clock === 'watermark') {
        if (state.fired !== null && timer.time < state.fired) throw new Error('timers out of order');
        if ((ctx.watermark ?? -Infinity) < timer.time) throw new Error('a timer came early');
        state.fired = timer.time;
      }
      handlers.timer?.(node, timer.tag, ctx, state);
    },
  }) as unknown as Computation;
}

/** A version that was left never comes back, and dropped state is gone (Y6, Y1). */
function stateOf(ctx: Ctx, { version, schema, since }: Age): State {
  const state: State = { ...(ctx.state.get() ?? { ...FRESH, version, schema }) };
  if (state.version > version) throw new Error(`version ${version} runs behind version ${state.version}`);
  if (state.schema !== schema) throw new Error(`state of schema ${state.schema}, not ${schema}`);
  if (state.version < since) throw new Error(`state of version ${state.version} was dropped before ${since}`);
  state.version = version;
  return state;
}

interface Incoming {
  readonly value: Value;
  readonly timestamp: number;
  readonly late: boolean;
  readonly stream: string;
}

interface Handlers {
  record(
    node: NodeShape,
    record: Incoming,
    ctx: Ctx,
    take: (record: Incoming, ctx: Ctx) => State,
  ): void | Promise<void>;
  timer?(node: NodeShape, tag: string, ctx: Ctx, state: State): void;
}

const HANDLERS: Readonly<Record<Exclude<NodeKind, OperatorKind>, Handlers>> = {
  relay: {
    record(node, record, ctx, take) {
      const state = take(record, ctx);
      if (passes(record)) emit(node, ctx, state, copyOf(node, record.value));
      ctx.state.set(state);
    },
  },
  tally: {
    record(node, record, ctx, take) {
      const state = take(record, ctx);
      if (state.n === 1) ctx.setTimer('end', ctx.now + DAY_MS, { clock: 'wall' });
      emit(node, ctx, state, copyOf(node, record.value));
      ctx.state.set(state);
    },
    timer(node, _tag, ctx, state) {
      ctx.produce('end', endValue(node, ctx.key, state.sum));
    },
  },
  window: {
    record(node, record, ctx, take) {
      const state = take(record, ctx);
      const window = windowOf(record.timestamp, node.size);
      const counts = ctx.map('counts');
      counts.set(window, (counts.get(window) ?? 0) + record.value.x);
      ctx.setTimer(String(window), window + node.size, { hold: window + node.size - 1 });
      ctx.state.set(state);
    },
    timer(node, tag, ctx, state) {
      const window = Number(tag);
      const counts = ctx.map('counts');
      const sum = counts.get(window);
      if (sum === undefined) throw new Error('a window that is gone');
      counts.delete(window);
      emit(node, ctx, state, paneValue(node, ctx.key, window, sum));
      ctx.state.set(state);
    },
  },
  delay: {
    record(_node, record, ctx, take) {
      const state = take(record, ctx);
      const { id, g, x } = record.value;
      ctx.map('delayed').set(id, { id, g, x });
      ctx.setTimer(id, ctx.now + (digest(id) % 400), { clock: 'wall', hold: record.timestamp });
      ctx.state.set(state);
    },
    timer(node, tag, ctx, state) {
      const value = ctx.map('delayed').get(tag);
      if (value === undefined) throw new Error('nothing was delayed');
      ctx.map('delayed').delete(tag);
      emit(node, ctx, state, copyOf(node, value));
      ctx.state.set(state);
    },
  },
  observer: {
    record(node, record, ctx, take) {
      const state = take(record, ctx);
      emit(node, ctx, state, copyOf(node, record.value));
      ctx.state.set(state);
    },
  },
  async: {
    async record(node, record, ctx, take) {
      for (let i = digest(record.value.id) % 20; i > 0; i--) await null;
      const state = take(record, ctx);
      emit(node, ctx, state, copyOf(node, record.value));
      ctx.state.set(state);
    },
  },
  notes: {
    record(node, record, ctx, take) {
      const state = take(record, ctx);
      const notes = ctx.map('notes');
      if (state.n % 40 === 0) notes.deleteRange();
      else notes.set(state.n % 20, '.'.repeat(digest(record.value.id) % 400));
      emit(node, ctx, state, copyOf(node, record.value));
      ctx.state.set(state, { holdUntil: record.timestamp });
      ctx.setTimer('let go', record.timestamp + 1_000);
    },
    timer(_node, _tag, ctx, state) {
      ctx.state.set(state);
    },
  },
};

function emit(node: NodeShape, ctx: Ctx, state: State, value: Value): void {
  ctx.produce('out', { ...value, by: `${node.id}/${ctx.key}`, nth: ++state.sent });
}

/** In the same input often enough to blame it, by whoever goes by wall time. */
const STALLS = 3;
const STALL_MS = 6_500;

function starve(node: NodeShape, id: string, { stall, stalls }: Hands): void {
  const name = `${node.id} ${id}`;
  const before = stalls.get(name) ?? 0;
  if (!node.starved || digest(id) % 41 !== 3 || before === STALLS) return;
  stalls.set(name, before + 1);
  stall(STALL_MS);
}

/** Leaves traces that nothing may come of. */
function flake(node: NodeShape, { id }: Value, ctx: Ctx, flaked: Set<string>): void {
  const name = `${node.id} ${id}`;
  if (!node.flakes || digest(id) % 13 !== 0 || flaked.has(name)) return;
  flaked.add(name);
  ctx.setTimer('never', DAY_MS);
  ctx.state.set({ ...FRESH, n: -1_000, version: 0, schema: 0 });
  ctx.map('seen').set('x', 1e9);
  throw new Error('once');
}

/** W3, for one key. */
function watchWatermark(state: State, ctx: Ctx): void {
  const watermark = ctx.watermark ?? null;
  if (state.watermark !== null && (watermark === null || watermark < state.watermark))
    throw new Error('the watermark went back');
  if (watermark !== Infinity) state.watermark = watermark;
}

/** P11: of one producing key, what comes later was produced later. */
function watchOrder({ by, nth }: Value, ctx: Ctx): void {
  if (by === undefined || nth === undefined) return;
  const seen = ctx.map('seen');
  if (nth <= (seen.get(by) ?? 0)) throw new Error(`${by} was overtaken`);
  seen.set(by, nth);
}
