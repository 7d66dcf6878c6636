/** Short plans for tests. */
import type { PlanNode, PlanStream, RunPlan } from '@millrace/graph';

type NodeShape = Pick<PlanNode, 'id' | 'kind'> & Partial<PlanNode>;
type StreamShape = { from: string; to: string; fromPort?: string; toPort?: string; keyed?: boolean };

/** Nodes must come in topological order. */
export function planOf(nodes: readonly NodeShape[], streams: readonly StreamShape[]): RunPlan {
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const planStreams = streams.map(
    (s, i): PlanStream => ({
      index: i,
      id: `s_${i}`,
      from: index.get(s.from) as number,
      fromPort: s.fromPort ?? 'out',
      to: index.get(s.to) as number,
      toPort: s.toPort ?? 'in',
      keyed: s.keyed ?? false,
    }),
  );
  return {
    pipeline: 'p_test',
    name: 'test',
    params: {},
    streams: planStreams,
    nodes: nodes.map((node, i) => ({
      index: i,
      name: node.id,
      type: node.kind === 'injector' ? 'injector/memory' : node.kind === 'sink' ? 'sink/memory' : 'code',
      config: {},
      exactlyOnce: true,
      productions: 'strong',
      inputs: planStreams.filter((s) => s.to === i).map((s) => s.index),
      outputs: planStreams.filter((s) => s.from === i).map((s) => s.index),
      ...node,
    })),
  };
}
