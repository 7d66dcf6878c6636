/**
 * Input frames in the order in which they came (DP2), and how far the worker is with them.
 *
 * A source chunk may be used up over several bundles, and chunks of other partitions must not wait for it: a
 * partition takes further chunks while little of it is unread, so the share of each in a bundle stays fair.
 * Invariant FI1: `finished` never names a frame of which anything is still to come.
 */
import type { HostFrame, IntervalChange, TableStanding, Watermark } from '@millrace/protocol';
import type { PartitionIngest } from './ingest/partition-ingest.ts';

export type InputFrame = Extract<HostFrame, { sequence: number }>;

export interface IntakeHandlers {
  partition(node: number, partition: number): PartitionIngest | undefined;
  /** Returns the number of records. */
  deliver(frame: Extract<InputFrame, { kind: 'deliver' }>): number;
  watermarks(slot: number, table: readonly Watermark[], lowered: boolean): void;
  intervals(change: IntervalChange): void;
  inherit(frame: Extract<InputFrame, { kind: 'inherit' }>): void;
  table(node: number, standing: TableStanding): void;
  finalWall(limit: number): void;
}

/** Unread bytes of a partition up to which it takes another chunk. */
const READ_AHEAD_BYTES = 512 * 1024;

export class FrameIntake {
  readonly #handlers: IntakeHandlers;
  #inbox: InputFrame[] = [];
  #head = 0;
  #taken = 0;
  #unreadBytes = 0;
  /** Partitions with chunks that are not used up. */
  readonly #open = new Set<PartitionIngest>();

  constructor(handlers: IntakeHandlers) {
    this.#handlers = handlers;
  }

  /** Of sources, in frames that nobody has begun with. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  push(frame: InputFrame): void {
    this.#unreadBytes += bytesOf(frame);
    this.#inbox.push(frame);
  }

  get empty(): boolean {
    return this.#head === this.#inbox.length;
  }

  /** The last sequence number with which everything up to it is finished. */
  get finished(): number {
    let finished = this.#taken;
    for (const partition of this.#open) {
      const unfinished = partition.unfinished;
      if (unfinished === undefined) this.#open.delete(partition);
      else if (unfinished <= finished) finished = unfinished - 1;
    }
    return finished;
  }

  /**
   * Takes frames until about `limit` records are at hand or a partition has enough to read. Returns how many
   * records were delivered.
   */
  take(limit: number): number {
    let records = 0;
    while (this.#head < this.#inbox.length && records < limit) {
      const frame = this.#inbox[this.#head] as InputFrame;
      if (frame.kind === 'chunk') {
        const partition = this.#handlers.partition(frame.node, frame.partition);
        if (partition !== undefined && partition.unreadBytes > READ_AHEAD_BYTES) break;
        this.#unreadBytes -= bytesOf(frame);
        partition?.push(frame.chunk, frame.sequence);
        if (partition !== undefined) this.#open.add(partition);
      } else records += this.#handle(frame);
      this.#head++;
      this.#taken = frame.sequence;
    }
    if (this.#head > 1000 || this.empty) {
      this.#inbox = this.#inbox.slice(this.#head);
      this.#head = 0;
    }
    return records;
  }

  #handle(frame: Exclude<InputFrame, { kind: 'chunk' }>): number {
    switch (frame.kind) {
      case 'deliver':
        return this.#handlers.deliver(frame);
      case 'watermarks':
        this.#handlers.watermarks(frame.slot, frame.table, frame.lowered);
        return 0;
      case 'intervals':
        this.#handlers.intervals(frame.change);
        return 0;
      case 'inherit':
        this.#handlers.inherit(frame);
        return 0;
      case 'table':
        this.#handlers.table(frame.node, frame.standing);
        return 0;
      case 'final-wall':
        this.#handlers.finalWall(frame.limit);
        return 0;
      case 'tick':
        return 0;
    }
  }
}

function bytesOf(frame: InputFrame): number {
  return frame.kind === 'chunk' && 'bytes' in frame.chunk ? frame.chunk.bytes.length : 0;
}
