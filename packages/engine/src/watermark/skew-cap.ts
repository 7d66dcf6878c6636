/**
 * Which injectors have to wait for slower ones (W10). What an injector brings far ahead of the slowest is buffered
 * by everything that joins them, so an injector with a cap is not read while it is further ahead than that.
 *
 * Invariants
 *   SK1  the slowest never waits, so somebody always reads.
 *   SK2  it waits for whom it shares a consumer with, near or far, and for nobody else.
 *   SK3  what is idle or has ended holds no watermark, so nobody waits for it; what has not reported yet does.
 */
import type { RunPlan } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';

export interface Capped {
  /** Plan index of the injector. */
  readonly node: number;
  readonly capMs: number;
  /** Plan indices of the injectors it must not run away from. */
  readonly peers: readonly number[];
}

/** `capOf` gives the cap of an injector in ms, undefined where it has none. */
export function cappedInjectors(
  plan: RunPlan,
  capOf: (node: RunPlan['nodes'][number]) => number | undefined,
): Capped[] {
  const injectors = plan.nodes.filter(({ kind }) => kind === 'injector');
  const reached = new Map(injectors.map(({ index }) => [index, reachedFrom(plan, index)]));
  return injectors.flatMap((node) => {
    const capMs = capOf(node);
    if (capMs === undefined) return [];
    const mine = reached.get(node.index) as Set<number>;
    const peers = injectors
      .map(({ index }) => index)
      .filter((index) => index !== node.index && meet(mine, reached.get(index) as Set<number>));
    return peers.length === 0 ? [] : [{ node: node.index, capMs, peers }];
  });
}

/** How far in ms those are ahead that have to wait; `Infinity` while a peer has not reported. */
export function waitingForOthers(
  capped: readonly Capped[],
  watermarkOf: (node: number) => Watermark,
): Map<number, number> {
  const waiting = new Map<number, number>();
  for (const { node, capMs, peers } of capped) {
    const mine = watermarkOf(node);
    if (mine.kind !== 'at') continue;
    const slowest = Math.min(...peers.map((peer) => positionOf(watermarkOf(peer))));
    if (mine.time - slowest > capMs) waiting.set(node, mine.time - slowest);
  }
  return waiting;
}

function meet(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  for (const node of one) if (other.has(node)) return true;
  return false;
}

function positionOf(watermark: Watermark): number {
  if (watermark.kind === 'at') return watermark.time;
  return watermark.kind === 'not-yet' ? -Infinity : Infinity;
}

function reachedFrom(plan: RunPlan, start: number): Set<number> {
  const found = new Set<number>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const stream of plan.nodes[node]?.outputs ?? []) {
      const to = plan.streams[stream]?.to;
      if (to === undefined || found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  return found;
}
