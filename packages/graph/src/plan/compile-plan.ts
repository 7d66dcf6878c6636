/** From a valid pipeline to what an engine runs. Equal pipelines give equal plans, byte for byte. */
import { applyParameters } from '../config-parameters.ts';
import { setOwn } from '../json/token.ts';
import type { NodeTypes } from '../node-types.ts';
import type { ParameterValue } from '../parameters.ts';
import { identityOf, type Pipeline, type Stream } from '../pipeline.ts';
import type { PlanNode, PlanStream, RunPlan } from './run-plan.ts';
import { topologicalOrder } from './topological-order.ts';

/**
 * `params` are the values of `resolveParameters`. Throws on a pipeline that `validateFolder` finds errors in:
 * the caller has skipped the check.
 */
export function compilePlan(
  pipeline: Pipeline,
  types: NodeTypes,
  params: Readonly<Record<string, ParameterValue>>,
): RunPlan {
  const order = topologicalOrder(pipeline);
  const indexOf = new Map(order.map((id, index) => [id, index]));
  const streams = [...pipeline.streams.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((stream, index) => planStream(stream, index, indexOf));
  const ends = { inputs: groupBy(streams, 'to'), outputs: groupBy(streams, 'from') };
  const nodes = order.map((id, index) => planNode({ pipeline, types, params, ends }, id, index));
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) setOwn(values, name, value);
  return { pipeline: identityOf(pipeline), name: pipeline.name, nodes, streams, params: values };
}

interface Context {
  readonly pipeline: Pipeline;
  readonly types: NodeTypes;
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly ends: Readonly<Record<'inputs' | 'outputs', ReadonlyMap<number, readonly number[]>>>;
}

/** Indices of the streams that end (`to`) or begin (`from`) at each node. */
function groupBy(streams: readonly PlanStream[], end: 'from' | 'to'): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const stream of streams) {
    const group = groups.get(stream[end]);
    if (group === undefined) groups.set(stream[end], [stream.index]);
    else group.push(stream.index);
  }
  return groups;
}

function planNode({ pipeline, types, params, ends }: Context, id: string, index: number): PlanNode {
  const node = pipeline.nodes.get(id);
  const spec = types.get(node?.type ?? '');
  if (node === undefined || spec === undefined)
    throw new Error(`no plan: node '${id}' is of unknown type '${node?.type}'`);
  return {
    index,
    id,
    name: node.name,
    kind: spec.kind,
    type: node.type,
    config: applyParameters(node.config, params).config,
    exactlyOnce: node.exactlyOnce,
    productions: node.productions,
    inputs: ends.inputs.get(index) ?? [],
    outputs: ends.outputs.get(index) ?? [],
  };
}

function planStream(stream: Stream, index: number, indexOf: ReadonlyMap<string, number>): PlanStream {
  const from = indexOf.get(stream.from[0]);
  const to = indexOf.get(stream.to[0]);
  if (from === undefined || to === undefined)
    throw new Error(`no plan: stream '${stream.id}' has a loose end`);
  return {
    index,
    id: stream.id,
    from,
    fromPort: stream.from[1],
    to,
    toPort: stream.to[1],
    keyed: stream.keyBy !== undefined,
  };
}
