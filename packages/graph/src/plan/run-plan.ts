/**
 * What an engine needs to know of a valid pipeline: nodes in topological order, streams by index, nothing
 * about names of files or positions. Plain JSON: it is stored with a version and sent to workers.
 */

export type NodeKind = 'injector' | 'computation' | 'sink';

export interface PlanNode {
  /** Index of this node in `RunPlan.nodes`; fixed within one version only. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly kind: NodeKind;
  /** `injector/file`, `code`, `operator/aggregate`, `sink/postgres`, … */
  readonly type: string;
  /** The node's settings with parameters and durations left as written. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly exactlyOnce: boolean;
  readonly productions: 'strong' | 'weak';
  /** Indices into `RunPlan.streams`. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

export interface PlanStream {
  readonly index: number;
  readonly id: string;
  /** Index of the producing node and the port it produces on. */
  readonly from: number;
  readonly fromPort: string;
  /** Index of the consuming node and the input it comes in on (`record.stream`). */
  readonly to: number;
  readonly toPort: string;
  /** True when the consumer has a `keyBy` for this stream; the function is in the code bundle, by stream id. */
  readonly keyed: boolean;
}

export interface RunPlan {
  readonly pipeline: string;
  readonly name: string;
  /** In topological order: every stream goes from a lower to a higher index. */
  readonly nodes: readonly PlanNode[];
  readonly streams: readonly PlanStream[];
  /** Parameter values after defaults and overrides. */
  readonly params: Readonly<Record<string, unknown>>;
}
