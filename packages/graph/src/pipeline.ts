/**
 * A pipeline as data (G1, G2). Everything keyed by an id or a name is a Map: such keys come from files and
 * people and may be `__proto__`. Settings are plain JSON with `{ "param": name }` left as written.
 */
import type { Settings } from './node-types.ts';
import type { Parameter } from './parameters.ts';

export const FORMAT = 1;

export type Port = readonly [node: string, port: string];

export interface Node {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** `nodes/<name>.ts`, for nodes of type `code`. */
  readonly code: string | undefined;
  readonly config: Settings;
  readonly exactlyOnce: boolean;
  readonly productions: 'strong' | 'weak';
  /** The author's word that running a record twice does no harm (G5, D10). */
  readonly idempotent: boolean;
}

export interface Stream {
  readonly id: string;
  readonly from: Port;
  readonly to: Port;
  /** A TypeScript expression over `value` and `record` (G2). */
  readonly keyBy: string | undefined;
}

export interface Pipeline {
  readonly id: string | undefined;
  readonly name: string;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly streams: ReadonlyMap<string, Stream>;
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** The name under which an engine keeps the pipeline's data. */
export function identityOf(pipeline: Pipeline): string {
  return pipeline.id ?? pipeline.name;
}
