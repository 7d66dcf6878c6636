/** Node ids so that every stream goes forward; among the nodes that are free the smallest id comes first. */
import type { Pipeline } from '../pipeline.ts';
import { findCycles, successors } from '../validate/cycles.ts';

export function topologicalOrder(pipeline: Pipeline): string[] {
  const order = forwardOrder(pipeline);
  if (order.length < pipeline.nodes.size) {
    throw new Error(`no order: cycle ${findCycles(pipeline)[0]?.join(' -> ')}`);
  }
  return order;
}

/** Producers before consumers also in a draft with cycles, whose nodes (and what they feed) come last, by id. */
export function dataflowOrder(pipeline: Pipeline): string[] {
  const order = forwardOrder(pipeline);
  const placed = new Set(order);
  return [...order, ...[...pipeline.nodes.keys()].sort().filter((id) => !placed.has(id))];
}

function forwardOrder(pipeline: Pipeline): string[] {
  const next = successors(pipeline);
  const waiting = new Map<string, number>([...next.keys()].map((id) => [id, 0]));
  for (const targets of next.values()) {
    for (const target of targets) waiting.set(target, (waiting.get(target) ?? 0) + 1);
  }
  const free = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  const order: string[] = [];
  for (let id = takeSmallest(free); id !== undefined; id = takeSmallest(free)) {
    order.push(id);
    for (const target of next.get(id) ?? []) {
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  return order;
}

function takeSmallest(free: string[]): string | undefined {
  let best = 0;
  for (let i = 1; i < free.length; i++) if ((free[i] ?? '') < (free[best] ?? '')) best = i;
  return free.splice(best, 1)[0];
}
