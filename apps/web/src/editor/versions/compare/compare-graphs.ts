/**
 * Two graphs as one picture: matched by id, so that a node that was renamed or moved is the same node. Both are drawn
 * in one layout, that of the newer; what only the older has keeps its place, or goes below what took it. Pure.
 */
import { diffPipelines, type NodeAspect, type NodeTypes, type Stream } from '@millrace/graph';
import { type Box, boundsOf, type NodeShape } from '../../canvas/geometry.ts';
import { placesOf } from '../../canvas/places.ts';
import type { VersionGraph } from './version-graph.ts';

export type ChangeKind = 'kept' | 'changed' | 'new' | 'removed';

export interface ComparedNode {
  readonly id: string;
  readonly type: string;
  readonly kind: ChangeKind;
  /** What differs, other than the name. */
  readonly aspects: readonly NodeAspect[];
  /** As it is called now, or was. */
  readonly name: string;
  readonly nameBefore: string | undefined;
  readonly isRenamed: boolean;
  readonly box: Box;
  readonly shapes: { readonly before: NodeShape | undefined; readonly after: NodeShape | undefined };
}

export interface ComparedStream {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly before: Stream | undefined;
  readonly after: Stream | undefined;
}

export interface Comparison {
  readonly nodes: readonly ComparedNode[];
  readonly streams: readonly ComparedStream[];
  /** Shared code and tests that differ: paths. */
  readonly files: readonly string[];
  readonly bounds: Box | undefined;
  /** Nothing an engine would notice is different, no name is, and no file is. */
  readonly same: boolean;
}

const GAP = 24;

export function compareGraphs(before: VersionGraph, after: VersionGraph, types: NodeTypes): Comparison {
  const diff = diffPipelines(before.folder, after.folder);
  const [old, now] = [placesOf(before.reading, types), placesOf(after.reading, types)];
  const taken = [...now.boxes.values()];
  const nodes = diff.nodes.map(({ id, type, kind, changes }): ComparedNode => {
    const names = [before, after].map(({ reading }) => reading.pipeline.nodes.get(id)?.name);
    const box = now.boxes.get(id) ?? placed(old.boxes.get(id) ?? NOWHERE, taken);
    const isRenamed = kind !== 'new' && kind !== 'removed' && names[0] !== names[1];
    return {
      id,
      type,
      kind,
      aspects: changes.filter((aspect) => aspect !== 'name'),
      name: names[1] ?? names[0] ?? id,
      nameBefore: names[0],
      isRenamed,
      box,
      shapes: { before: old.shapes.get(id), after: now.shapes.get(id) },
    };
  });
  const streams = diff.streams.map(
    ({ id, kind }): ComparedStream => ({
      id,
      kind,
      before: before.reading.pipeline.streams.get(id),
      after: after.reading.pipeline.streams.get(id),
    }),
  );
  const files = sharedFiles(before, after);
  return {
    nodes,
    streams,
    files,
    bounds: boundsOf(nodes.map(({ box }) => box)),
    same: diff.same && files.length === 0 && nodes.every(({ isRenamed }) => !isRenamed),
  };
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Where it was, or under what lies there now; takes the place. */
function placed(box: Box, taken: Box[]): Box {
  const inTheWay = (y: number): Box | undefined =>
    taken.find(
      (other) =>
        box.x < other.x + other.width + GAP &&
        other.x < box.x + box.width + GAP &&
        y < other.y + other.height + GAP &&
        other.y < y + box.height + GAP,
    );
  let { y } = box;
  for (let other = inTheWay(y); other !== undefined; other = inTheWay(y)) y = other.y + other.height + GAP;
  const free = { ...box, y };
  taken.push(free);
  return free;
}

/** Code of nodes is shown with its node, where things lie not at all. */
function sharedFiles(before: VersionGraph, after: VersionGraph): readonly string[] {
  const [old, now] = [before.folder.files, after.folder.files];
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths]
    .filter((path) => path.startsWith('lib/') || path.startsWith('tests/'))
    .filter((path) => old.get(path) !== now.get(path))
    .sort();
}

/** How many of each, for a line of words. */
export function countKinds({ nodes }: Comparison): Readonly<Record<ChangeKind | 'renamed', number>> {
  const count = (is: (node: ComparedNode) => boolean): number => nodes.filter(is).length;
  return {
    new: count(({ kind }) => kind === 'new'),
    removed: count(({ kind }) => kind === 'removed'),
    changed: count(({ kind }) => kind === 'changed'),
    kept: count(({ kind }) => kind === 'kept'),
    renamed: count(({ isRenamed }) => isRenamed),
  };
}
