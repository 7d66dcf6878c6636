/** The default export of a bundle, as an engine's worker finds it. */
import type { Computation, StreamRecord } from '@millrace/sdk';

export type RecordExpression = (value: unknown, record: StreamRecord) => unknown;

/** `n` is 0, 1, 2, …; `time` the wall time (ms) at which the record is due. */
export type GeneratorExpression = (n: number, time: number, random: () => number) => unknown;

/** The node's module threw while it was loaded, or exports no computation. A run must not start with one. */
export interface FailedNode {
  readonly kind: 'failed';
  readonly error: unknown;
}

export interface PipelineCode {
  /** By node id: every code and operator node. */
  readonly nodes: Readonly<Record<string, Computation | FailedNode>>;
  /** By stream id: the streams that have one. */
  readonly keyBy: Readonly<Record<string, RecordExpression>>;
  /** By injector id. */
  readonly timestamps: Readonly<Record<string, RecordExpression>>;
  /** By generator id. */
  readonly values: Readonly<Record<string, GeneratorExpression>>;
  readonly sdkVersion: string;
}
