/**
 * What every interval of every node has promised (MillWheel §4.2's central authority, W4–W5). It keeps the
 * reports apart, by worker; the minimum over senders is taken by the workers. A report arrives inside a
 * committed bundle, so it is journaled and sequenced before anybody hears it.
 *
 * Invariants
 *   WA1 (W3)  a node's time on one worker never goes back; what has ended stays ended.
 *   WA3 (W4)  except where it takes keys over: there it goes down to where their old owner stands, who does not move
 *             meanwhile; reports of it count again when they speak of those keys, too.
 *   WA2 (W5)  only committed reports are taken, so an old owner's never is.
 */
import type { Watermark } from '@millrace/protocol';
import { ENDED, NOT_YET, sameWatermark } from '@millrace/protocol';

export class WatermarkAuthority {
  readonly #tables: Watermark[][];
  /** By slot: nodes whose reports do not count. */
  readonly #pinned: Set<number>[];

  constructor(slots: number, nodes: number) {
    this.#tables = Array.from({ length: slots }, () => Array.from({ length: nodes }, () => NOT_YET));
    this.#pinned = this.#tables.map(() => new Set());
  }

  get slots(): number {
    return this.#tables.length;
  }

  table(slot: number): readonly Watermark[] {
    return this.#tables[slot] ?? [];
  }

  /** Takes a committed report; true when it changed anything. */
  report(slot: number, table: readonly Watermark[]): boolean {
    const mine = this.#tables[slot] as Watermark[];
    let changed = false;
    for (let node = 0; node < mine.length; node++) {
      const before = mine[node] as Watermark;
      const next = withTimeOf(before, table[node]);
      if (this.#pinned[slot]?.has(node)) continue;
      if (next === undefined || sameWatermark(next, before) || goesBack(before, next)) continue;
      mine[node] = next;
      changed = true;
    }
    return changed;
  }

  /** WA3. `least`: what the old owner has said; an output that holds nobody leaves this one where it is. */
  pin(slot: number, node: number, least: Watermark | undefined): void {
    const mine = this.#tables[slot] as Watermark[];
    const before = mine[node] as Watermark;
    if (least === undefined) this.#pinned[slot]?.add(node);
    if (least?.kind !== 'at' && least?.kind !== 'not-yet') return;
    this.#pinned[slot]?.add(node);
    if (before.kind !== 'at' || least.kind === 'not-yet' || least.time < before.time)
      mine[node] = before.kind === 'not-yet' ? before : least;
  }

  /** Further workers, which have no keys and hold nobody until they take some over. */
  grow(slots: number): void {
    const nodes = this.#tables[0]?.length ?? 0;
    while (this.#tables.length < slots) {
      this.#tables.push(Array.from({ length: nodes }, () => ENDED));
      this.#pinned.push(new Set());
    }
  }

  /** The worker of `slot` is not there, and will read what that of `other` has read: it starts no higher (WA3). */
  readsFor(slot: number, other: number, node: number): void {
    const mine = this.#tables[slot] as Watermark[];
    const before = mine[node] as Watermark;
    const least = this.#tables[other]?.[node] ?? NOT_YET;
    if (before.kind === 'not-yet' || least.kind === 'ended') return;
    const isLess = least.kind === 'not-yet' || (least.kind === 'at' && !(heldBy(before) <= least.time));
    if (before.kind === 'ended' || isLess) mine[node] = least;
  }

  /** A worker has nothing any more, and is gone. */
  leave(slot: number): void {
    this.#tables[slot] = (this.#tables[slot] ?? []).map(() => ENDED);
    this.#pinned[slot]?.clear();
  }

  unpin(slot: number, node: number): void {
    this.#pinned[slot]?.delete(node);
  }

  /** A node's watermark over all workers, as people are shown it. */
  overall(node: number): Watermark {
    let least: number | undefined;
    let latestIdle: number | undefined;
    let active = false;
    let idle = false;
    for (const table of this.#tables) {
      const watermark = table[node] ?? NOT_YET;
      if (watermark.kind === 'not-yet') return NOT_YET;
      if (watermark.kind === 'at') {
        active = true;
        if (least === undefined || watermark.time < least) least = watermark.time;
      } else if (watermark.kind === 'idle') {
        idle = true;
        if (watermark.time !== undefined && (latestIdle === undefined || watermark.time > latestIdle))
          latestIdle = watermark.time;
      }
    }
    if (active && least !== undefined) return { kind: 'at', time: least };
    return idle ? { kind: 'idle', time: latestIdle } : ENDED;
  }

  endedEverywhere(node: number): boolean {
    return this.#tables.every((table) => table[node]?.kind === 'ended');
  }
}

function heldBy(watermark: Watermark): number {
  return watermark.kind === 'at' ? watermark.time : Number.POSITIVE_INFINITY;
}

/** A node that becomes idle without a word of how far it is, is where it was. */
function withTimeOf(before: Watermark, next: Watermark | undefined): Watermark | undefined {
  return next?.kind === 'idle' && next.time === undefined && 'time' in before
    ? { kind: 'idle', time: before.time }
    : next;
}

function goesBack(before: Watermark, next: Watermark): boolean {
  if (next.kind === 'not-yet' || before.kind === 'ended') return true;
  return (
    'time' in before &&
    before.time !== undefined &&
    'time' in next &&
    next.time !== undefined &&
    next.time < before.time
  );
}
