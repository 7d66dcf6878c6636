/** Deleting and bringing back. Nothing is removed: entities are marked, code stays as it is. */
import type { Pipeline, Stream } from '@millrace/graph';
import { wireOf } from '../hints/connection-fault.ts';
import { isGone } from '../shape/roots.ts';
import type { EntityTable } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';
import type { SelectionCommand } from './command.ts';
import { type Decision, decided, noNode, noStream, refuse, type Scene, set, setValue } from './decision.ts';
import { createStream } from './streams.ts';

type Of<K extends SelectionCommand['kind']> = Extract<SelectionCommand, { kind: K }>;

/** What somebody else has deleted meanwhile is no obstacle; only when nothing is left there is nothing to do. */
export function deleteSelection(scene: Scene, command: Of<'delete'>): Decision {
  const { pipeline, layout } = scene.reading;
  const nodes = new Set(command.nodes?.filter((id) => pipeline.nodes.has(id)));
  const notes = command.notes?.filter((id) => layout.notes.has(id)) ?? [];
  const streams = new Set(command.streams?.filter((id) => pipeline.streams.has(id)));
  if (nodes.size + notes.length + streams.size === 0) {
    return refuse('nothing', 'there is nothing left to delete; somebody may have deleted it before');
  }
  const joins = command.rejoin === true ? rejoin(pipeline, nodes, streams) : [];
  const kept = new Set(joins.map(({ reuse }) => reuse));
  for (const { id, from, to } of pipeline.streams.values()) {
    if ((nodes.has(from[0]) || nodes.has(to[0])) && !kept.has(id)) streams.add(id);
  }
  const edits: Edit[] = [
    ...mark('streams', streams),
    ...joins.map((join) => joinEdit(scene, join)),
    ...mark('nodes', nodes),
    ...mark('notes', notes),
  ];
  return decided(edits);
}

export function restore(scene: Scene, command: Of<'restore'>): Decision {
  const { document } = scene;
  const streams = command.streams ?? [];
  const lostNode = command.nodes.find((id) => document.tables.nodes.get(id) === undefined);
  if (lostNode !== undefined) return noNode(lostNode);
  const lostStream = streams.find((id) => document.tables.streams.get(id) === undefined);
  if (lostStream !== undefined) return noStream(lostStream);
  const edits = [
    ...command.nodes.filter((id) => isGone(document, 'nodes', id)).map((id) => unmark('nodes', id)),
    ...streams.filter((id) => isGone(document, 'streams', id)).map((id) => unmark('streams', id)),
  ];
  return edits.length > 0 ? decided(edits) : refuse('nothing', 'all of it is there; nothing to restore');
}

export function mark(table: EntityTable, ids: Iterable<string>): Edit[] {
  return [...ids].map((id) => setValue(table, id, 'deleted', true));
}

export function unmark(table: EntityTable, id: string): Edit {
  return set(table, id, 'deleted', undefined);
}

interface Join {
  readonly from: Stream['from'];
  readonly out: Stream;
  /** The first source takes over the stream into the consumer, so that its id stays. */
  readonly reuse: string | undefined;
}

/** For every stream out of the deleted part: the outputs outside from which it was fed. */
function rejoin(pipeline: Pipeline, nodes: ReadonlySet<string>, cut: ReadonlySet<string>): Join[] {
  const streams = [...pipeline.streams.values()].filter(({ id }) => !cut.has(id));
  const wires = new Set(streams.map(({ from, to }) => wireOf(from, to)));
  const joins: Join[] = [];
  for (const out of streams) {
    if (!nodes.has(out.from[0]) || nodes.has(out.to[0])) continue;
    let reuse: string | undefined = out.id;
    for (const from of sourcesOf(streams, nodes, out.from[0])) {
      if (wires.has(wireOf(from, out.to))) continue;
      wires.add(wireOf(from, out.to));
      joins.push({ from, out, reuse });
      reuse = undefined;
    }
  }
  return joins;
}

function sourcesOf(streams: readonly Stream[], nodes: ReadonlySet<string>, start: string): Stream['from'][] {
  const inside = new Set([start]);
  const sources: Stream['from'][] = [];
  for (const id of inside) {
    for (const { from, to } of streams) {
      if (to[0] !== id) continue;
      if (nodes.has(from[0])) inside.add(from[0]);
      else sources.push(from);
    }
  }
  return sources;
}

function joinEdit({ mint }: Scene, { from, out, reuse }: Join): Edit {
  if (reuse !== undefined) return setValue('streams', reuse, 'from', from);
  return createStream(mint('s'), { from, to: out.to, keyBy: out.keyBy });
}
