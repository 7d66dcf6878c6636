import type { Pane, TableKnowledge } from '../api.ts';
import type { Cause, DeliveredRecord, DeriveId } from './delivered-record.ts';
import type { TimerEntry } from './key-entry.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A record a handler produced; emitted when its call has ended well. */
export interface Production {
  readonly port: string;
  readonly value: unknown;
  readonly key: string;
  readonly timestamp: number;
  readonly pane: Pane | undefined;
  readonly cause: Cause;
  readonly ordinal: number;
  readonly byTimer: boolean;
  /** What `RuntimePorts.prepare` returned for it. */
  readonly prepared: unknown;
}

/** Input that was set aside after its last try (P8). */
export interface DeadLetter {
  readonly input: DeliveredRecord | TimerEntry;
  readonly error: unknown;
  readonly attempts: number;
  /** The key's state as the failing call found it. */
  readonly state: unknown;
}

/**
 * Where a worker has died in user code, `async` calls of all computations run one after the other: what goes on behind
 * an `await` can then be laid at one input's door (P8).
 */
export interface AsyncTurns {
  readonly isFree: boolean;
  /** The call in front of which `beforeCall` was called goes on by itself. */
  take(): void;
  give(): void;
}

/** What the runtime of one computation needs from whoever drives it. */
export interface RuntimePorts {
  now(): number;
  readonly deriveId: DeriveId;
  /** Called inside `ctx.produce`, so that what it throws is an error of the producing call. */
  prepare(port: string, value: unknown, key: string, timestamp: number, pane: Pane | undefined): unknown;
  emit(production: Production): void;
  deadLetter(letter: DeadLetter): void;
  log(level: LogLevel, parts: readonly unknown[], key: string): void;
  count(name: string, n: number): void;
  /** An `async` handler ended; `finishAsync` has work. */
  wake(): void;
  /** Called in front of every handler call. An error sets the input aside instead of running it. */
  beforeCall(input: DeliveredRecord | TimerEntry): Error | undefined;
  readonly asyncTurns?: AsyncTurns | undefined;
  /** Of an input that is a table; without it no input is. */
  table?(input: string): TableKnowledge | undefined;
  /** Called behind a call that threw, once it is undone; what it had in hand is garbage by now. */
  afterFailure(error: unknown): void;
}
