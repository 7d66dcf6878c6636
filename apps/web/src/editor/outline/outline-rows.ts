/** The graph as a tree one can read from top to bottom: nodes along the flow, under each the streams out of it. */
import type { Reading } from '@millrace/document';
import type { Node, Stream } from '@millrace/graph';

export type OutlineRow =
  | { readonly kind: 'node'; readonly id: string; readonly node: Node; readonly isOpenable: boolean }
  | {
      readonly kind: 'stream';
      readonly id: string;
      readonly stream: Stream;
      /** Name of the node it goes to. */
      readonly to: string;
    };

/** `folded` holds the nodes whose streams are not shown. */
export function outlineRows({ pipeline }: Reading, folded: ReadonlySet<string>): OutlineRow[] {
  const out = new Map<string, Stream[]>();
  for (const stream of pipeline.streams.values()) {
    const those = out.get(stream.from[0]);
    if (those === undefined) out.set(stream.from[0], [stream]);
    else those.push(stream);
  }
  return alongFlow(pipeline.nodes, out).flatMap((node): OutlineRow[] => {
    const streams = out.get(node.id) ?? [];
    const row: OutlineRow = { kind: 'node', id: node.id, node, isOpenable: streams.length > 0 };
    if (folded.has(node.id)) return [row];
    const name = ({ to }: Stream): string => pipeline.nodes.get(to[0])?.name ?? to[0];
    return [
      row,
      ...streams.map((stream) => ({ kind: 'stream', id: stream.id, stream, to: name(stream) }) as const),
    ];
  });
}

/** Producers before consumers; nodes of a cycle come last, as they are. */
function alongFlow(nodes: ReadonlyMap<string, Node>, out: ReadonlyMap<string, readonly Stream[]>): Node[] {
  const waiting = new Map([...nodes.keys()].map((id) => [id, 0]));
  for (const streams of out.values()) {
    for (const { to } of streams) waiting.set(to[0], (waiting.get(to[0]) ?? 0) + 1);
  }
  const order: Node[] = [];
  const seen = new Set<string>();
  const visit = (id: string): void => {
    const node = nodes.get(id);
    if (node === undefined || seen.has(id)) return;
    seen.add(id);
    order.push(node);
    for (const { to } of out.get(id) ?? []) {
      const left = (waiting.get(to[0]) ?? 1) - 1;
      waiting.set(to[0], left);
      if (left === 0) visit(to[0]);
    }
  };
  for (const [id, count] of [...waiting]) if (count === 0) visit(id);
  for (const id of nodes.keys()) visit(id);
  return order;
}
