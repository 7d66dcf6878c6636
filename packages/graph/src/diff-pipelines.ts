/** What a deploy would change (Y1). State follows the node id, so nodes are matched by id alone (G1). */

import type { PipelineFiles } from './folder/files.ts';
import { canonicalJson } from './json/canonical-json.ts';
import type { Node, Pipeline, Stream } from './pipeline.ts';

export type NodeAspect =
  | 'name'
  | 'type'
  | 'config'
  | 'code'
  | 'keyBy'
  | 'inputs'
  | 'outputs'
  | 'switches'
  | 'parameters';

export interface NodeChange {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly kind: 'kept' | 'changed' | 'new' | 'removed';
  /** Empty unless `kind` is `changed`. A node of which only the name changed is kept. */
  readonly changes: readonly NodeAspect[];
}

export interface StreamChange {
  readonly id: string;
  readonly kind: 'kept' | 'changed' | 'new' | 'removed';
}

export interface PipelineDiff {
  readonly nodes: readonly NodeChange[];
  readonly streams: readonly StreamChange[];
  /** Nothing an engine would notice is different. */
  readonly same: boolean;
}

export interface DiffSide {
  readonly pipeline: Pipeline;
  readonly files: PipelineFiles;
  /** Values in force; without them the declared defaults are compared. */
  readonly params?: Readonly<Record<string, unknown>>;
}

export function diffPipelines(old: DiffSide, now: DiffSide): PipelineDiff {
  const nodes = allKeys(old.pipeline.nodes, now.pipeline.nodes).map((id) => nodeChange(old, now, id));
  const streams = allKeys(old.pipeline.streams, now.pipeline.streams).map((id) =>
    streamChange(id, old.pipeline.streams.get(id), now.pipeline.streams.get(id)),
  );
  const same = nodes.every((n) => n.kind === 'kept') && streams.every((s) => s.kind === 'kept');
  return { nodes, streams, same };
}

function nodeChange(old: DiffSide, now: DiffSide, id: string): NodeChange {
  const before = old.pipeline.nodes.get(id);
  const after = now.pipeline.nodes.get(id);
  const { name, type } = (after ?? before) as Node;
  if (before === undefined) return { id, name, type, kind: 'new', changes: [] };
  if (after === undefined) return { id, name, type, kind: 'removed', changes: [] };
  const changes = aspects(old, now, before, after);
  const kind = changes.every((aspect) => aspect === 'name') ? 'kept' : 'changed';
  return { id, name, type, kind, changes };
}

function aspects(old: DiffSide, now: DiffSide, before: Node, after: Node): NodeAspect[] {
  const differs: Record<NodeAspect, boolean> = {
    name: before.name !== after.name,
    type: before.type !== after.type,
    config: canonicalJson(before.config) !== canonicalJson(after.config),
    code: codeOf(old, before) !== codeOf(now, after),
    keyBy: keysOf(old.pipeline, before.id) !== keysOf(now.pipeline, after.id),
    inputs: wiresOf(old.pipeline, before.id, 'to') !== wiresOf(now.pipeline, after.id, 'to'),
    outputs: wiresOf(old.pipeline, before.id, 'from') !== wiresOf(now.pipeline, after.id, 'from'),
    switches: before.exactlyOnce !== after.exactlyOnce || before.productions !== after.productions,
    parameters: readsParameters(after) && paramsOf(old) !== paramsOf(now),
  };
  return (Object.keys(differs) as NodeAspect[]).filter((aspect) => differs[aspect]);
}

/** A node's own file and, where it reaches into lib/, all of lib/: a change too many is safe, one too few is not. */
function codeOf({ files }: DiffSide, node: Node): string {
  if (node.code === undefined) return '';
  const text = files.get(node.code) ?? '';
  if (!text.includes('#lib/')) return text;
  const lib = [...files].filter(([path]) => path.startsWith('lib/')).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([text, lib]);
}

/** How the node's inputs are keyed: per port, whatever the streams are called. */
function keysOf(pipeline: Pipeline, id: string): string {
  const inputs = [...pipeline.streams.values()].filter(({ to }) => to[0] === id);
  return canonicalJson(
    inputs
      .map(({ from, to, keyBy }) => [to[1], from, keyBy ?? null])
      .map((k) => JSON.stringify(k))
      .sort(),
  );
}

function wiresOf(pipeline: Pipeline, id: string, end: 'from' | 'to'): string {
  const wires = [...pipeline.streams.values()].filter((stream) => stream[end][0] === id);
  return JSON.stringify(wires.map(({ from, to }) => JSON.stringify([from, to])).sort());
}

function readsParameters(node: Node): boolean {
  return node.type === 'code' || JSON.stringify(node.config).includes('"param"');
}

function paramsOf({ pipeline, params }: DiffSide): string {
  return canonicalJson(params ?? new Map([...pipeline.parameters].map(([name, p]) => [name, p.default])));
}

function streamChange(id: string, before: Stream | undefined, after: Stream | undefined): StreamChange {
  if (before === undefined) return { id, kind: 'new' };
  if (after === undefined) return { id, kind: 'removed' };
  const same = JSON.stringify(before) === JSON.stringify(after);
  return { id, kind: same ? 'kept' : 'changed' };
}

function allKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort();
}
