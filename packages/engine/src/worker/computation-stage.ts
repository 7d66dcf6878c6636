/**
 * One computation on one worker: the keyed runtime of the SDK, its input queues inside a bundle, and its
 * watermarks.
 *
 * Invariants
 *   CS1 (W1)  input watermark = minimum over the senders' output watermarks on all workers; the part that comes
 *             from this worker moves record by record, in front of the records (`watermarkBefore`).
 *   CS2 (W2)  what a call sends carries the output watermark as it was in front of it.
 *   CS3 (W3)  both watermarks only rise; a restart begins where the last commit stood.
 */
import type { PlanNode, PlanStream } from '@millrace/graph';
import type { InheritedWatermarks, MovedKeys, TimerPiece, Watermark } from '@millrace/protocol';
import { ENDED, NOT_YET, sameWatermark } from '@millrace/protocol';
import type { Clock, Computation, Pane, TableKnowledge } from '@millrace/sdk';
import {
  ComputationRuntime,
  type DeliveredRecord,
  type Production,
  type RuntimePorts,
  type TimerEntry,
} from '@millrace/sdk/runtime';
import type { DeadLetterRow } from '../ports.ts';
import { WatermarkCoalescer } from '../watermark/coalescer.ts';
import { deadLetterOf } from './dead-letter.ts';
import { HotKeys } from './hot-keys.ts';
import type { Hasher } from './key-hash.ts';
import { NamedCounts } from './named-counts.ts';
import { type NodeCounters, zeroCounters } from './node-counters.ts';
import { emptyOutgoing, type Outgoing, type Route, type Router, sinkLine } from './router.ts';
import type { TableInput } from './table-input.ts';

export interface ComputationStageOptions {
  readonly node: PlanNode;
  /** Plan indices of the nodes that send to this one, each once. */
  readonly senders: readonly number[];
  readonly inputs: readonly PlanStream[];
  readonly slot: number;
  readonly slots: number;
  readonly computation: Computation;
  readonly params: Readonly<Record<string, unknown>>;
  /** Negative control of the crash sweep. */
  readonly unheldParked: boolean;
  /** The same. */
  readonly ignoredHorizon: boolean;
  readonly timersInMemory: number;
  /** Tries before an input is set aside; undefined: as many as usual. */
  readonly maxTries: number | undefined;
  /** Far timers of it may be stored. */
  readonly hasFarTimers: boolean;
  readonly storeIsEmpty: boolean;
  readonly version: number;
  readonly hasher: Hasher;
  readonly router: Router;
  readonly now: () => number;
  readonly deadLetter: (letter: DeadLetterRow) => void;
  readonly log: RuntimePorts['log'];
  readonly wake: () => void;
  readonly beforeCall: RuntimePorts['beforeCall'];
  readonly asyncTurns?: RuntimePorts['asyncTurns'];
  readonly afterFailure: RuntimePorts['afterFailure'];
  /** Of an input that these nodes send to; `watermark`: the computation's. */
  readonly tableInput: (senders: readonly number[], watermark: () => number | undefined) => TableInput;
}

export interface WatermarkFloors {
  readonly out: number | undefined;
  readonly in: number | undefined;
  readonly inputEnded: boolean;
}

export class ComputationStage {
  readonly node: PlanNode;
  readonly runtime: ComputationRuntime;
  readonly inputs: readonly PlanStream[];
  readonly senders: readonly number[];
  readonly stateVersion: number;
  /** Records waiting for this stage within the bundle, by input stream. */
  readonly queues: DeliveredRecord[][];
  /** Counters of earlier incarnations; `counters` adds the runtime's own. */
  readonly base: NodeCounters = zeroCounters();
  readonly named = new NamedCounts();
  readonly hotKeys: HotKeys;
  readonly #options: ComputationStageOptions;
  readonly #coalescer: WatermarkCoalescer;
  /** Workers that it has been told of. */
  #slots: number;
  readonly #outgoing: Outgoing;
  #port: string | undefined;
  #route: Route | undefined;
  /** Which coalescer input an input stream's `watermarkBefore` raises. */
  readonly #localInput: number[];
  #output: Watermark = NOT_YET;
  #outputTime: number | undefined;
  #isHeld = false;
  /** Of inputs that code has asked for. */
  readonly #tables = new Map<string, TableInput>();
  #left: Pick<MovedKeys, 'start' | 'end'> | undefined;

  constructor(options: ComputationStageOptions) {
    const { node, hasher, slots, slot } = options;
    this.#options = options;
    this.#slots = slots;
    this.node = node;
    this.hotKeys = new HotKeys(`${node.id} ${slot}`);
    this.inputs = options.inputs;
    this.senders = options.senders;
    this.stateVersion = options.computation.handlers.stateVersion ?? 1;
    this.queues = options.inputs.map(() => []);
    this.#coalescer = new WatermarkCoalescer(options.senders.length * slots);
    this.#localInput = options.inputs.map(
      (stream) => slot * options.senders.length + options.senders.indexOf(stream.from),
    );
    this.#outgoing = emptyOutgoing({ computation: node.id, deriveId: hasher.deriveId });
    this.runtime = new ComputationRuntime(options.computation, this.#ports(), {
      computationId: node.id,
      params: options.params,
      storeIsEmpty: options.storeIsEmpty,
      unheldParked: options.unheldParked,
      ignoredHorizon: options.ignoredHorizon,
      timersInMemory: options.timersInMemory,
      maxTries: options.maxTries,
    });
    if (options.hasFarTimers) this.runtime.timersAreStored();
  }

  enqueue(stream: PlanStream, record: DeliveredRecord): void {
    if (stream.keyed) this.hotKeys.see(record.key);
    (this.queues[this.inputs.indexOf(stream)] as DeliveredRecord[]).push(record);
  }

  /** Timers that were set aside: each fires once more when its turn comes. */
  timersAgain(pieces: readonly TimerPiece[]): void {
    for (const { key, hold, ...timer } of pieces) this.runtime.timerAgain({ ...timer, hold }, key);
  }

  get queued(): boolean {
    return this.queues.some((queue) => queue.length > 0);
  }

  /**
   * Runs everything queued, each record behind the watermark that was in front of it. False: the watermark has come
   * to timers that must be read first (FT1); what is left stays queued.
   */
  runQueued(): boolean {
    const runtime = this.runtime;
    for (let q = 0; q < this.queues.length; q++) {
      const queue = this.queues[q] as DeliveredRecord[];
      if (queue.length === 0) continue;
      this.queues[q] = [];
      const input = this.#localInput[q] as number;
      let last: number | undefined;
      for (let i = 0; i < queue.length; i++) {
        const record = queue[i] as DeliveredRecord;
        const before = record.watermarkBefore;
        if (before !== undefined && before !== last) {
          last = before;
          const time = this.#coalescer.raiseTime(input, before);
          if (time !== undefined && this.#stopsBehind(time)) {
            this.queues[q] = queue.slice(i);
            return false;
          }
        }
        runtime.deliver(record);
      }
    }
    return true;
  }

  /** Moves the watermark; true when it has come to timers that are not in memory, and more of them may fire now. */
  #stopsBehind(time: number): boolean {
    this.runtime.advance(time);
    return this.clockToRead === 'watermark';
  }

  /** Whose timers must be read from the store before anything goes on. */
  get clockToRead(): Clock | undefined {
    return this.runtime.clockToRead(this.#coalescer.output.kind === 'idle');
  }

  /** Takes a sender's output watermark on a worker (this one or another) and fires what became due. */
  hear(sender: number, slot: number, watermark: Watermark): void {
    const at = this.senders.indexOf(sender);
    if (at < 0) return;
    this.#coalescer.set(this.#inputOf(at, slot), watermark);
  }

  /** The worker of a slot has taken keys of a sender over: what it promised before may have been more. */
  hearLowered(sender: number, slot: number, watermark: Watermark): void {
    const at = this.senders.indexOf(sender);
    if (at >= 0) this.#coalescer.lower(this.#inputOf(at, slot), watermark);
  }

  /** A worker that came later had no keys until it is heard of, and held nobody. */
  #inputOf(sender: number, slot: number): number {
    const { length } = this.senders;
    if (slot >= this.#slots) {
      this.#slots = slot + 1;
      this.#coalescer.grow(this.#slots * length);
    }
    return slot * length + sender;
  }

  /** Lets the runtime see the input watermark as it now is. */
  advance(): void {
    const input = this.#coalescer.output;
    if (input.kind === 'ended') this.runtime.advance(Number.POSITIVE_INFINITY);
    else if ('time' in input && input.time !== undefined) this.runtime.advance(input.time);
  }

  /** The input has ended everywhere: wall timers fire in order, with `ctx.now` at their time (W6). */
  fireFinal(limit: number, most: number): void {
    for (let left = most; left > 0; left--) {
      const next = this.runtime.nextWallTimer;
      if (next === undefined || next > limit || !this.runtime.fireNextWallTimer()) return;
    }
  }

  // ---- inputs that are tables ------------------------------------------------------------------------

  #table(input: string): TableKnowledge | undefined {
    let table = this.#tables.get(input);
    if (table === undefined) {
      const streams = this.inputs.filter(({ toPort }) => toPort === input);
      const senders = [...new Set(streams.map(({ from }) => from))];
      table = this.#options.tableInput(senders, () => this.runtime.clock.input);
      this.#tables.set(input, table);
    }
    return table.knowledge;
  }

  /** Behind all that was queued: the watermarks that were heard count (TR3). */
  settleTables(): void {
    if (this.#coalescer.isFrozen) return;
    for (const table of this.#tables.values()) table.settle(this.#heardOf(table.senders));
  }

  #heardOf(senders: readonly number[]): number | undefined {
    let least = Number.POSITIVE_INFINITY;
    for (const sender of senders)
      for (let slot = 0; slot < this.#slots; slot++) {
        const time = this.#coalescer.heard(this.#inputOf(this.senders.indexOf(sender), slot));
        if (time === undefined) return undefined;
        if (time < least) least = time;
      }
    return least;
  }

  // ---- keys that move --------------------------------------------------------------------------------

  /** W4: while keys of it move, its watermarks stand still, here and where they go. */
  freeze(input: boolean, output: boolean): void {
    this.#coalescer.freeze(input);
    this.#isHeld = output;
  }

  /** The host may not know yet that these are gone: what it still says of them is nothing. */
  leave(range: Pick<MovedKeys, 'start' | 'end'> | undefined): void {
    this.#left = range;
  }

  hasLeft(high: number): boolean {
    return this.#left !== undefined && high >= this.#left.start && high < this.#left.end;
  }

  /**
   * Keys of another worker are this one's from here on, and have seen its input watermark (SC2). What they hold may be
   * below what this output has promised: the old owner holds no less until this one says where it is.
   */
  inherit({ in: seen, inputEnded, out, mayStay }: InheritedWatermarks): void {
    if (!mayStay) {
      // Also of one that had ended: it has something to wait for again.
      const own = this.#outputTime;
      const time = out === undefined || own === undefined ? undefined : Math.min(out, own);
      this.#outputTime = time;
      this.#output = time === undefined ? NOT_YET : { kind: 'at', time };
      this.runtime.clock.published = time;
    }
    if (seen !== undefined) {
      this.#coalescer.restore(seen);
      this.runtime.advance(seen);
    }
    if (inputEnded) this.runtime.advance(Number.POSITIVE_INFINITY);
  }

  /** Recomputes the output watermark; true when it changed. */
  settle(): boolean {
    if (this.#isHeld) return false;
    const next = this.#nextOutput();
    const changed = !sameWatermark(next, this.#output);
    this.#output = next;
    this.runtime.clock.published = this.#outputTime;
    return changed;
  }

  get output(): Watermark {
    return this.#output;
  }

  get input(): Watermark {
    return this.#coalescer.output;
  }

  /**
   * What a successor must not start below (W3). An end is no time, and a time alone would take it back: a parked
   * input that ran again would see an earlier watermark than its key had seen.
   */
  get floors(): WatermarkFloors {
    return {
      out: this.#outputTime,
      in: this.#coalescer.floor,
      inputEnded: this.#coalescer.output.kind === 'ended',
    };
  }

  restore(floors: WatermarkFloors): void {
    // Timers that are due already wait for the first bundle, which bounds them (T5).
    this.runtime.allowFirings(0);
    if (floors.out !== undefined) {
      this.#outputTime = floors.out;
      this.#output = { kind: 'at', time: floors.out };
      this.runtime.clock.published = floors.out;
    }
    if (floors.in !== undefined) {
      this.#coalescer.restore(floors.in);
      this.runtime.advance(floors.in);
    }
    if (floors.inputEnded) this.runtime.advance(Number.POSITIVE_INFINITY);
  }

  get counters(): NodeCounters {
    const { counters, waitingRecords } = this.runtime;
    const { base } = this;
    return {
      delivered: base.delivered + counters.delivered,
      withOutput: base.withOutput + counters.withOutput,
      withoutOutput: base.withoutOutput + counters.withoutOutput,
      droppedLate: base.droppedLate + counters.droppedLate,
      late: base.late + counters.late,
      deadLettered: base.deadLettered + counters.deadLettered,
      producedByRecords: base.producedByRecords + counters.producedByRecords,
      producedByTimers: base.producedByTimers + counters.producedByTimers,
      timersFired: base.timersFired + counters.timersFired,
      duplicates: base.duplicates,
      setAside: base.setAside,
      waiting: waitingRecords,
      timersDeadLettered: base.timersDeadLettered + counters.timersDeadLettered,
    };
  }

  #nextOutput(): Watermark {
    const input = this.#coalescer.output;
    const hold = this.runtime.holds.min();
    const busy = this.runtime.waiting > 0 || this.runtime.running > 0 || this.runtime.owesFirings;
    if (input.kind === 'not-yet') return this.#raised(undefined);
    if (input.kind === 'ended') {
      if (hold === undefined && !busy) return ENDED;
      return this.#raised(hold);
    }
    if (input.kind === 'idle') {
      if (hold === undefined && !busy) {
        this.#raised(input.time);
        return { kind: 'idle', time: this.#outputTime };
      }
      return this.#raised(least(input.time, hold));
    }
    return this.#raised(least(input.time, hold));
  }

  #raised(time: number | undefined): Watermark {
    if (time !== undefined && (this.#outputTime === undefined || time > this.#outputTime))
      this.#outputTime = time;
    return this.#outputTime === undefined ? NOT_YET : { kind: 'at', time: this.#outputTime };
  }

  /** Nearly every call sends by the port that the last one sent by. */
  #routeOf(port: string): Route {
    if (port !== this.#port) {
      this.#port = port;
      this.#route = this.#options.router.routeOf(this.node.index, port);
    }
    return this.#route as Route;
  }

  #emit(production: Production): void {
    const { streams } = this.#routeOf(production.port);
    if (streams.length === 0) return;
    const input = this.runtime.clock.input;
    const hold = this.runtime.holds.min();
    let before = input === undefined || (hold !== undefined && hold < input) ? hold : input;
    if (input === undefined || before === Number.POSITIVE_INFINITY) before = this.#outputTime;
    else if (this.#outputTime !== undefined && before !== undefined && before < this.#outputTime)
      before = this.#outputTime;
    // What another owner is about to hold is not among the holds any more.
    if (this.#isHeld) before = this.#outputTime;
    const out = this.#outgoing;
    out.key = production.key;
    out.value = production.value;
    out.timestamp = production.timestamp;
    out.pane = production.pane;
    out.origin = production.cause;
    out.ordinal = production.ordinal;
    out.line = production.prepared as string | undefined;
    out.suspect = this.runtime.suspectRuns;
    this.#options.router.send(streams, out, before);
  }

  #ports(): RuntimePorts {
    const { node, version, hasher, now, deadLetter, log, wake, beforeCall, asyncTurns, afterFailure } =
      this.#options;
    return {
      now,
      deriveId: hasher.deriveId,
      prepare: (port: string, value: unknown, key: string, timestamp: number, pane: Pane | undefined) =>
        this.#routeOf(port).toLines ? sinkLine(key, value, timestamp, pane) : undefined,
      emit: (production) => this.#emit(production),
      deadLetter: (letter) => deadLetter(deadLetterOf(node.id, version, letter)),
      log,
      count: (name, n) => this.named.add(name, n),
      wake,
      beforeCall,
      table: (input) => this.#table(input),
      asyncTurns,
      afterFailure,
    };
  }
}

export type CallInput = DeliveredRecord | TimerEntry;

/** Names an input to the host, the same in every incarnation of a worker. */
export function inputIdentity(node: string, input: CallInput): string {
  return 'owner' in input
    ? `${node}|${input.clock}|${input.owner.key}|${input.tag}|${input.time}`
    : `${node}|${input.id}`;
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b !== undefined && b < a ? b : a;
}
