import type { Node } from '../pipeline.ts';
import type { Subject } from './subject.ts';

/** Operators that pass on of which pane a record is, and what it takes back, as they pass on everything. */
export const PASSING: readonly string[] = ['map', 'filter', 'flatMap', 'union', 'groupBy'].map(
  (name) => `operator/${name}`,
);

/** Nodes behind (`from`) or in front of (`to`) a node, beyond those that `goOn` tells to look through. */
export function reached(
  subject: Subject,
  node: Node,
  side: 'from' | 'to',
  goOn: (node: Node) => boolean,
): readonly Node[] {
  const { nodes, streams } = subject.folder.pipeline;
  const other = side === 'from' ? 'to' : 'from';
  const found = new Set<Node>();
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const stream of streams.values()) {
      const next = stream[side][0] === at.id ? nodes.get(stream[other][0]) : undefined;
      // What came too late was never in a pane.
      if (next === undefined || found.has(next) || (side === 'from' && stream.from[1] === 'late')) continue;
      found.add(next);
      if (goOn(next)) open.push(next);
    }
  }
  return [...found];
}
