/**
 * The graph as a tree one can read from top to bottom: nodes along the flow, under each the streams out of it. A group
 * stands where its first node would, with its nodes inside.
 */
import type { Group, Reading } from '@millrace/document';
import type { Node, Stream } from '@millrace/graph';

export type OutlineRow = {
  readonly id: string;
  /** From 1, as in `aria-level`. */
  readonly level: number;
  readonly isOpenable: boolean;
} & (
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'node'; readonly node: Node }
  | {
      readonly kind: 'stream';
      readonly stream: Stream;
      /** Name of the node it goes to. */
      readonly to: string;
      /** Its own; most have none. */
      readonly name: string | undefined;
    }
);

/** `folded` holds the groups and nodes whose insides are not shown. */
export function outlineRows({ pipeline, layout }: Reading, folded: ReadonlySet<string>): OutlineRow[] {
  const out = grouped(pipeline.streams.values(), ({ from }) => from[0]);
  const order = alongFlow(pipeline.nodes, out);
  const rowsOf = (node: Node, level: number): OutlineRow[] => {
    const streams = out.get(node.id) ?? [];
    const row: OutlineRow = { kind: 'node', id: node.id, node, level, isOpenable: streams.length > 0 };
    if (folded.has(node.id)) return [row];
    return [row, ...streams.map((stream) => streamRow(stream, level + 1))];
  };
  const streamRow = (stream: Stream, level: number): OutlineRow => {
    const to = pipeline.nodes.get(stream.to[0])?.name ?? stream.to[0];
    const name = layout.streams.get(stream.id)?.name;
    return { kind: 'stream', id: stream.id, stream, to, name, level, isOpenable: false };
  };
  const groupOf = (node: Node): string | undefined => layout.nodes.get(node.id)?.group;
  const inside = grouped(order, groupOf);
  return order.flatMap((node): OutlineRow[] => {
    const id = groupOf(node);
    const group = layout.groups.get(id ?? '');
    if (id === undefined || group === undefined) return rowsOf(node, 1);
    const members = inside.get(id) ?? [];
    if (members[0] !== node) return [];
    const row: OutlineRow = { kind: 'group', id, group, level: 1, isOpenable: true };
    return folded.has(id) ? [row] : [row, ...members.flatMap((member) => rowsOf(member, 2))];
  });
}

function grouped<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const those = groups.get(keyOf(one));
    if (those === undefined) groups.set(keyOf(one), [one]);
    else those.push(one);
  }
  return groups;
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
