/**
 * Productions that are committed and not yet taken by their receiver: a worker's slot or a sink. The log is
 * the channel (docs/decisions/log-as-channel.md): receivers take batches in log order, and one log position is
 * a receiver's whole mark.
 *
 * Invariants
 *   DV1 (P11)  a target gets its batches in log order.
 *   DV2 (P3)   a batch leaves only when its receiver's own commit covers it.
 *   DV3        bytes held are counted, so that injectors can be paused before memory fills.
 *   DV4 (P9)   what goes out before it is committed (P5) keeps its place; it is counted once it is committed.
 */
import { type Batch, ByteReader, ByteWriter, SINK_SLOT } from '@millrace/protocol';
import type { UndeliveredRow } from '../ports.ts';

/** Workers are numbered by slot; sinks follow by plan index. */
export type Target = number;
const SINKS_FROM = 65536;

export function slotTarget(slot: number): Target {
  return slot;
}

export function sinkTarget(node: number): Target {
  return SINKS_FROM + node;
}

export interface Delivery {
  readonly position: number;
  readonly batches: readonly Batch[];
  readonly bytes: number;
  /** Wall time of the commit, for the age of unfinished work (W11). */
  readonly since: number;
  /** When the oldest input of the bundle that made it came in; the commit's time where that is not known. */
  readonly origin: number;
  /** Also stored as a row, so that its log segment may go. */
  saved: boolean;
  /** It is in the log; before, it is only on its way (P5). */
  committed: boolean;
}

class TargetQueue {
  readonly items: Delivery[] = [];
  /** Items before this index are with the receiver, unacknowledged. */
  taken = 0;
  /** How many of the items are not committed. */
  early = 0;
}

export class Deliveries {
  readonly #queues = new Map<Target, TargetQueue>();
  #bytes = 0;
  #sinkBytes = 0;
  /** Records held, by stream and by consumer. */
  readonly #byStream = new Map<number, number>();
  readonly #byNode = new Map<number, number>();
  #rowsToDrop: Pick<UndeliveredRow, 'position' | 'ordinal'>[] = [];

  get bytes(): number {
    return this.#bytes;
  }

  /** Of these, what waits for sinks. */
  get sinkBytes(): number {
    return this.#sinkBytes;
  }

  /** Adds a committed bundle's batches; returns the targets that got something. */
  add(
    position: number,
    batches: readonly Batch[],
    since: number,
    {
      saved = false,
      origin = since,
    }: { readonly saved?: boolean; readonly origin?: number | undefined } = {},
  ): Set<Target> {
    const byTarget = new Map<Target, Batch[]>();
    for (const batch of batches) {
      const target = batch.slot === SINK_SLOT ? sinkTarget(batch.node) : slotTarget(batch.slot);
      const list = byTarget.get(target);
      const own = { ...batch, bytes: ownBytes(batch.bytes) };
      if (list === undefined) byTarget.set(target, [own]);
      else list.push(own);
    }
    for (const [target, list] of byTarget) {
      const bytes = list.reduce((sum, batch) => sum + batch.bytes.length, 0);
      if (!this.#becameCommitted(target, position)) {
        const item = { position, batches: list, bytes, since, origin, saved, committed: true };
        this.#queue(target).items.push(item);
      }
      this.#count(target, bytes);
      this.#countRecords(list, 1);
    }
    return new Set(byTarget.keys());
  }

  /** DV4: batches of one target, ahead of the commit of their bundle; `add` makes them whole, or `withdraw` undoes it. */
  addEarly(target: Target, position: number, batches: readonly Batch[], since: number, origin = since): void {
    const own = batches.map((batch) => ({ ...batch, bytes: ownBytes(batch.bytes) }));
    const bytes = own.reduce((sum, batch) => sum + batch.bytes.length, 0);
    const item = { position, batches: own, bytes, since, origin, saved: false, committed: false };
    const queue = this.#queue(target);
    queue.items.push(item);
    queue.early++;
  }

  /** What went out early will never be committed. True: its target has it. */
  withdraw(target: Target, position: number): boolean {
    const queue = this.#queue(target);
    const at = queue.items.findIndex((item) => item.position === position && !item.committed);
    if (at < 0) return false;
    queue.items.splice(at, 1);
    queue.early--;
    const wasTaken = at < queue.taken;
    if (wasTaken) queue.taken--;
    return wasTaken;
  }

  /** The target has been handed this, and has not acknowledged it. */
  isWith(target: Target, position: number): boolean {
    const { items, taken } = this.#queue(target);
    const at = items.findIndex((item) => item.position === position);
    return at >= 0 && at < taken;
  }

  #becameCommitted(target: Target, position: number): boolean {
    const queue = this.#queue(target);
    if (queue.early === 0) return false;
    const item = queue.items.find((each) => each.position === position && !each.committed);
    if (item === undefined) return false;
    item.committed = true;
    queue.early--;
    return true;
  }

  /** The next delivery of a target that is not with it yet. */
  take(target: Target): Delivery | undefined {
    const queue = this.#queue(target);
    const item = queue.items[queue.taken];
    if (item !== undefined) queue.taken++;
    return item;
  }

  /** The receiver was lost: everything unacknowledged is to be taken again. */
  untake(target: Target): void {
    this.#queue(target).taken = 0;
  }

  /** The receiver's commit covers everything up to `through`. */
  acknowledge(target: Target, through: number): void {
    const queue = this.#queue(target);
    let done = 0;
    for (const item of queue.items) {
      if (item.position > through) break;
      done++;
      this.#count(target, -item.bytes);
      this.#countRecords(item.batches, -1);
      if (item.saved) this.#rowsToDrop.push({ position: item.position, ordinal: target });
    }
    if (done === 0) return;
    queue.items.splice(0, done);
    queue.taken = Math.max(0, queue.taken - done);
  }

  /** Nothing of the target is left up to there. */
  isAcknowledged(target: Target, position: number): boolean {
    const first = this.#queue(target).items[0];
    return first === undefined || first.position > position;
  }

  isEmpty(target: Target): boolean {
    return this.#queue(target).items.length === 0;
  }

  /** True while something of the target is not with it yet. */
  isWaiting(target: Target): boolean {
    const queue = this.#queue(target);
    return queue.taken < queue.items.length;
  }

  /** Position of the next delivery that is not with the target yet; undefined when it has all. */
  nextOf(target: Target): number | undefined {
    const queue = this.#queue(target);
    return queue.items[queue.taken]?.position;
  }

  takenBy(target: Target): number {
    return this.#queue(target).taken;
  }

  /** Records committed for a node and not taken by it. */
  pendingOf(node: number): number {
    return this.#byNode.get(node) ?? 0;
  }

  /** Records of a stream that are committed and not taken by its consumer (P9). */
  inFlightOf(stream: number): number {
    return this.#byStream.get(stream) ?? 0;
  }

  /** Commit time of the oldest records a node has not taken. */
  oldestOf(node: number): number | undefined {
    let oldest: number | undefined;
    for (const { items } of this.#queues.values()) {
      const first = items.find(({ batches }) => batches.some((batch) => batch.node === node));
      if (first !== undefined && (oldest === undefined || first.since < oldest)) oldest = first.since;
    }
    return oldest;
  }

  /** Position before which nothing is waiting in the log itself. */
  get oldestInLog(): number | undefined {
    let oldest: number | undefined;
    for (const { items } of this.#queues.values()) {
      const first = items.find((item) => !item.saved && item.committed);
      if (first !== undefined && (oldest === undefined || first.position < oldest)) oldest = first.position;
    }
    return oldest;
  }

  /** Rows to store for what is still waiting at or below `through`, so that the log can be released. */
  saveThrough(through: number): UndeliveredRow[] {
    const rows: UndeliveredRow[] = [];
    for (const [target, { items }] of this.#queues) {
      for (const item of items) {
        if (item.position > through) break;
        if (item.saved || !item.committed) continue;
        item.saved = true;
        rows.push({ position: item.position, ordinal: target, body: encodeBatches(item.batches) });
      }
    }
    return rows;
  }

  /** Rows are stored of what was delivered meanwhile. */
  get hasRowsToDrop(): boolean {
    return this.#rowsToDrop.length > 0;
  }

  takeRowsToDrop(): Pick<UndeliveredRow, 'position' | 'ordinal'>[] {
    const rows = this.#rowsToDrop;
    this.#rowsToDrop = [];
    return rows;
  }

  restoreRow(row: UndeliveredRow, since: number): void {
    this.add(row.position, decodeBatches(row.body), since, { saved: true });
  }

  #count(target: Target, bytes: number): void {
    this.#bytes += bytes;
    if (target >= SINKS_FROM) this.#sinkBytes += bytes;
  }

  #countRecords(batches: readonly Batch[], sign: 1 | -1): void {
    for (const { node, stream, count } of batches) {
      this.#byNode.set(node, (this.#byNode.get(node) ?? 0) + sign * count);
      this.#byStream.set(stream, (this.#byStream.get(stream) ?? 0) + sign * count);
    }
  }

  #queue(target: Target): TargetQueue {
    let queue = this.#queues.get(target);
    if (queue === undefined) {
      queue = new TargetQueue();
      this.#queues.set(target, queue);
    }
    return queue;
  }
}

/** DV3: what waits must not keep all of a bundle, or of the pipe's chunk around it, in memory. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  // Not `slice`: a Buffer's shares its memory.
  return bytes.length * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
}

function encodeBatches(batches: readonly Batch[]): Uint8Array {
  const w = new ByteWriter(1024);
  w.varint(batches.length);
  for (const batch of batches) {
    w.varint(batch.node);
    w.varint(batch.stream);
    w.u16(batch.slot);
    w.varint(batch.count);
    w.blob(batch.bytes);
  }
  return w.take();
}

function decodeBatches(bytes: Uint8Array): Batch[] {
  const r = new ByteReader(bytes);
  const batches: Batch[] = [];
  for (let left = r.varint(); left > 0; left--)
    batches.push({ node: r.varint(), stream: r.varint(), slot: r.u16(), count: r.varint(), bytes: r.blob() });
  return batches;
}
