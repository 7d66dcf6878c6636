/**
 * Triggers as settings (N3): when a window shows what it has before its end, and after it.
 *
 *     trigger: { early: '1m' }                                             every minute of wall time
 *     trigger: { early: { type: 'records', every: 100 }, late: '10s' }
 *     trigger: { early: { type: 'any', of: ['1m', { type: 'records', every: 100 }] } }
 *
 * They are data, so a form and code write the same.
 */

import type { Duration } from '../../api.ts';
import { positiveMs } from '../duration.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';

export type Repeated =
  /** Short for `{ type: 'time', every }`. */
  | Duration
  /** At every full multiple of this length on the wall clock that finds something new. */
  | { readonly type: 'time'; readonly every: Duration }
  /** At every so many new records of a window. */
  | { readonly type: 'records'; readonly every: number }
  /** As soon as one of them would. */
  | { readonly type: 'any'; readonly of: readonly Repeated[] }
  /** As soon as each of them would have. */
  | { readonly type: 'all'; readonly of: readonly Repeated[] }
  /** One pane by the first, one by the second, …, all others by the last. */
  | { readonly type: 'sequence'; readonly of: readonly Repeated[] };

export interface Trigger {
  /** Before the window's end; default: not at all. */
  readonly early?: Repeated | undefined;
  /** For late records, within the allowed lateness; default: every record. */
  readonly late?: Repeated | undefined;
  /** `always`: a pane when the watermark passes the end, also where early panes have shown all. Default `if-new`. */
  readonly onTime?: 'if-new' | 'always' | undefined;
}

/** Data; only the rule that made it can read it. */
export type TriggerState = null | number | readonly TriggerState[];

/** A trigger at work, of one window. Pure: what a window has seen is in the state. */
export interface TriggerRule {
  /** Names the rule that a stored state belongs to. */
  readonly name: string;
  /** Nothing new. */
  readonly begin: TriggerState;
  /** A new record has come; `now` is the wall clock. */
  record(state: TriggerState, now: number): TriggerState;
  /** Of two windows that become one. */
  merge(left: TriggerState, right: TriggerState): TriggerState;
  /** The wall clock from which on it is due; -Infinity: at once, whatever the time; Infinity: not by time alone. */
  dueFrom(state: TriggerState): number;
  /** A pane has shown all; `now` tells what was due. */
  shown(state: TriggerState, now: number): TriggerState;
}

const MOST_PARTS = 100;
const MOST_DEPTH = 10;
const KINDS = 'a duration such as "1m", or { type: "time" | "records" | "any" | "all" | "sequence", … }';

/** `what` names the setting in errors. */
export function triggerRule(given: Repeated, what: string, depth = 0): TriggerRule {
  if (typeof given === 'string' || typeof given === 'number') return timeRule(positiveMs(given, what));
  const { type } = (given ?? {}) as { type?: unknown };
  if (depth > MOST_DEPTH) throw new RangeError(`${what} is nested deeper than ${MOST_DEPTH} levels.`);
  switch (type) {
    case 'time':
      refuseUnknownOptions(given, ['type', 'every'], what);
      return timeRule(positiveMs((given as { every: Duration }).every, what));
    case 'records':
      refuseUnknownOptions(given, ['type', 'every'], what);
      return recordsRule((given as { every: number }).every, what);
    case 'any':
    case 'all':
    case 'sequence':
      return composed(type, (given as { of: readonly Repeated[] }).of, what, depth);
    default:
      throw new TypeError(`${what} is no trigger; write ${KINDS}.`);
  }
}

/** Never due. */
export const NEVER: TriggerRule = {
  name: '',
  begin: null,
  record: (state) => state,
  merge: () => null,
  dueFrom: () => Infinity,
  shown: () => null,
};

/** Its state is when it is due, null where nothing is new. */
function timeRule(every: number): TriggerRule {
  return {
    name: `${every}ms`,
    begin: null,
    record: (state, now) => state ?? Math.floor(now / every) * every + every,
    merge: (left, right) =>
      left === null || right === null ? (left ?? right) : Math.min(Number(left), Number(right)),
    dueFrom: (state) => (state === null ? Infinity : Number(state)),
    shown: () => null,
  };
}

/** Its state is how many new records there are. */
function recordsRule(every: unknown, what: string): TriggerRule {
  if (!Number.isSafeInteger(every) || Number(every) < 1) {
    throw new RangeError(`${what} is every ${String(every)} records; it must be a whole number from 1 on.`);
  }
  return {
    name: `${String(every)}n`,
    begin: 0,
    record: (state) => Number(state) + 1,
    merge: (left, right) => Number(left) + Number(right),
    dueFrom: (state) => (Number(state) >= Number(every) ? -Infinity : Infinity),
    shown: () => 0,
  };
}

function composed(
  type: 'any' | 'all' | 'sequence',
  of: readonly Repeated[] | undefined,
  what: string,
  depth: number,
): TriggerRule {
  if (!Array.isArray(of) || of.length === 0 || of.length > MOST_PARTS) {
    throw new TypeError(`${what} of type "${type}" can never fire: it needs a list "of" triggers.`);
  }
  const parts = of.map((each: Repeated) => triggerRule(each, what, depth + 1));
  return type === 'sequence' ? sequenceRule(parts) : joinedRule(type, parts);
}

function joinedRule(type: 'any' | 'all', parts: readonly TriggerRule[]): TriggerRule {
  const states = (state: TriggerState): readonly TriggerState[] => state as readonly TriggerState[];
  const each = (state: TriggerState, change: (part: TriggerRule, of: TriggerState) => TriggerState) =>
    parts.map((part, i) => change(part, states(state)[i] ?? null));
  const extreme = type === 'any' ? Math.min : Math.max;
  return {
    name: `${type}(${parts.map(({ name }) => name).join()})`,
    begin: parts.map(({ begin }) => begin),
    record: (state, now) => each(state, (part, of) => part.record(of, now)),
    merge: (left, right) =>
      parts.map((part, i) => part.merge(states(left)[i] ?? null, states(right)[i] ?? null)),
    dueFrom: (state) => extreme(...parts.map((part, i) => part.dueFrom(states(state)[i] ?? null))),
    shown: (state, now) => each(state, (part, of) => part.shown(of, now)),
  };
}

/** Its state: which part is next, and the state of that part. */
function sequenceRule(parts: readonly TriggerRule[]): TriggerRule {
  const read = (state: TriggerState): { at: number; part: TriggerRule; of: TriggerState } => {
    const [at, of] = state as readonly [number, TriggerState];
    return { at, part: parts[at]!, of };
  };
  return {
    name: `sequence(${parts.map(({ name }) => name).join()})`,
    begin: [0, parts[0]!.begin],
    record(state, now) {
      const { at, part, of } = read(state);
      return [at, part.record(of, now)];
    },
    merge(left, right) {
      const [a, b] = [read(left), read(right)];
      if (a.at !== b.at) return a.at > b.at ? left : right;
      return [a.at, a.part.merge(a.of, b.of)];
    },
    dueFrom(state) {
      const { part, of } = read(state);
      return part.dueFrom(of);
    },
    shown(state, now) {
      const { at, part, of } = read(state);
      if (now < part.dueFrom(of)) return [at, part.shown(of, now)];
      const next = Math.min(at + 1, parts.length - 1);
      return [next, next === at ? part.shown(of, now) : parts[next]!.begin];
    },
  };
}

export interface TriggerSetting {
  readonly latenessMs: number;
  readonly discarding: boolean;
  /** The window has no end before its input has. */
  readonly isEndless: boolean;
}

/** Whatever could never fire is refused: its author believes that it does. */
export function requireTrigger(trigger: Trigger, setting: TriggerSetting): void {
  refuseUnknownOptions(trigger, ['early', 'late', 'onTime'], 'trigger');
  const { early, late, onTime } = trigger;
  if (early !== undefined) triggerRule(early, 'trigger.early');
  if (late !== undefined) {
    triggerRule(late, 'trigger.late');
    if (setting.isEndless)
      throw new RangeError('trigger.late can never fire: nothing is late for a global window.');
    if (setting.latenessMs === 0)
      throw new RangeError('trigger.late can never fire without allowedLateness: late records are dropped.');
  }
  if (onTime !== undefined && onTime !== 'if-new' && onTime !== 'always')
    throw new TypeError(`trigger.onTime is ${JSON.stringify(onTime)}; it is "if-new" or "always".`);
  if (onTime === 'always' && setting.discarding)
    throw new TypeError('trigger.onTime is "always", but panes that discard would show nothing once more.');
}
