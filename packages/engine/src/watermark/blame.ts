/**
 * Who keeps a watermark where it is (W1, W5): from a node up along its slowest sender, until one is found whose own
 * output is behind what it was promised, or that has no sender.
 */
import type { RunPlan } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';

export interface Reports {
  readonly slots: number;
  /** Of a node over all workers. */
  overall(node: number): Watermark;
  table(slot: number): readonly Watermark[];
}

export interface Suspect {
  /** Plan index. */
  readonly node: number;
  /** The worker whose report is the lowest. */
  readonly slot: number;
  /**
   * `source`: it is an injector. `behind`: its output is lower than what its senders promise. `follows`: it stands
   * where its slowest sender does.
   */
  readonly part: 'source' | 'behind' | 'follows';
  /** The slowest sender; undefined for an injector. */
  readonly slowest: number | undefined;
}

/** What stands in the way of a node's watermark, nearest first; empty where nothing does: it is idle or has ended. */
export function suspectsOf(plan: RunPlan, reports: Reports, node: number): Suspect[] {
  const suspects: Suspect[] = [];
  for (let at: number | undefined = node; at !== undefined; ) {
    const suspect: Suspect | undefined = suspectAt(plan, reports, at);
    if (suspect === undefined) break;
    suspects.push(suspect);
    at = suspect.slowest;
  }
  return suspects;
}

function suspectAt(plan: RunPlan, reports: Reports, node: number): Suspect | undefined {
  const kind = plan.nodes[node]?.kind;
  const slowest = slowestSender(plan, reports, node);
  const promised = slowest === undefined ? Infinity : height(reports.overall(slowest));
  if (kind === 'sink') return slowest === undefined ? undefined : { node, slot: 0, part: 'follows', slowest };
  const own = height(reports.overall(node));
  if (own === Infinity) return undefined;
  const slot = lowestSlot(reports, node);
  if (kind === 'injector') return { node, slot, part: 'source', slowest: undefined };
  return { node, slot, part: own < promised ? 'behind' : 'follows', slowest };
}

function slowestSender(plan: RunPlan, reports: Reports, node: number): number | undefined {
  let slowest: number | undefined;
  for (const index of plan.nodes[node]?.inputs ?? []) {
    const from = plan.streams[index]?.from;
    if (from === undefined) continue;
    if (slowest === undefined || height(reports.overall(from)) < height(reports.overall(slowest)))
      slowest = from;
  }
  return slowest;
}

function lowestSlot(reports: Reports, node: number): number {
  let lowest = 0;
  for (let slot = 1; slot < reports.slots; slot++)
    if (height(reports.table(slot)[node]) < height(reports.table(lowest)[node])) lowest = slot;
  return lowest;
}

/** As a number to compare by: what has not reported holds everything, what is idle or has ended holds nothing. */
export function height(watermark: Watermark | undefined): number {
  if (watermark === undefined || watermark.kind === 'not-yet') return -Infinity;
  return watermark.kind === 'at' ? watermark.time : Infinity;
}
