/** G3: cycles, one per knot of nodes that reach each other (Tarjan 1972, iterative: graphs may be hostile). */
import type { Pipeline } from '../pipeline.ts';
import { called, type Subject } from './subject.ts';

export function checkCycles({ folder, report }: Subject): void {
  for (const cycle of findCycles(folder.pipeline)) {
    const nodes = cycle.map((id) => folder.pipeline.nodes.get(id)).filter((node) => node !== undefined);
    const first = nodes[0];
    if (first === undefined) continue;
    const route = [...nodes, first].map(called).join(' -> ');
    const where = { path: ['nodes', first.id], key: true, node: first.id };
    report(
      'cycle',
      where,
      `these nodes form a cycle: ${route}; a record could go round for ever: remove one of the streams between them`,
    );
  }
}

/** Node ids along one cycle of each knot, beginning with its smallest id. */
export function findCycles(pipeline: Pipeline): string[][] {
  const next = successors(pipeline);
  const cycles: string[][] = [];
  for (const knot of knots(next)) {
    const start = [...knot].sort()[0] as string;
    if (knot.length > 1 || next.get(start)?.includes(start))
      cycles.push(roundTrip(start, new Set(knot), next));
  }
  return cycles.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

type Successors = ReadonlyMap<string, readonly string[]>;

export function successors(pipeline: Pipeline): Map<string, string[]> {
  const next = new Map<string, string[]>([...pipeline.nodes.keys()].sort().map((id) => [id, []]));
  for (const { from, to } of pipeline.streams.values()) {
    if (next.has(to[0])) next.get(from[0])?.push(to[0]);
  }
  return next;
}

interface Visit {
  readonly id: string;
  edge: number;
}

function knots(next: Successors): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const enter = (id: string): Visit => {
    order.set(id, order.size);
    low.set(id, order.get(id) ?? 0);
    open.push(id);
    isOpen.add(id);
    return { id, edge: 0 };
  };
  const lower = (id: string, to: number | undefined): void => {
    low.set(id, Math.min(low.get(id) ?? 0, to ?? 0));
  };
  const close = (id: string): void => {
    if (low.get(id) !== order.get(id)) return;
    const knot = open.splice(open.lastIndexOf(id));
    for (const member of knot) isOpen.delete(member);
    found.push(knot);
  };
  for (const root of next.keys()) {
    const path: Visit[] = order.has(root) ? [] : [enter(root)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = next.get(visit.id)?.[visit.edge++];
      if (target === undefined) {
        path.pop();
        close(visit.id);
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.id, low.get(visit.id));
      } else if (!order.has(target)) path.push(enter(target));
      else if (isOpen.has(target)) lower(visit.id, order.get(target));
    }
  }
  return found;
}

/** Shortest way from `start` back to itself inside its knot. */
function roundTrip(start: string, knot: ReadonlySet<string>, next: Successors): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const target of next.get(id) ?? []) {
      if (target === start) return wayTo(id, start, cameFrom);
      if (!knot.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, id);
      queue.push(target);
    }
  }
  return [start];
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let id = end; id !== start; ) {
    id = cameFrom.get(id) ?? start;
    way.unshift(id);
  }
  return way;
}
