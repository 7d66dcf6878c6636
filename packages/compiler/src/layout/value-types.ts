/** The TypeScript type of what flows on a stream, as type text. Never `any`: what is not known is `unknown`. */
import type { Node, NodeTypeSpec, Pipeline, Settings, Stream } from '@millrace/graph';

export interface TypedPipeline {
  readonly pipeline: Pipeline;
  spec(node: Node): NodeTypeSpec | undefined;
  /** A node's settings with the parameters put in. */
  config(node: Node): Settings;
}

/** Relative to the folder of any node. */
export function streamType(typed: TypedPipeline, stream: Stream): string {
  const producer = typed.pipeline.nodes.get(stream.from[0]);
  const spec = producer === undefined ? undefined : typed.spec(producer);
  if (producer === undefined || spec === undefined) return 'unknown';
  if (spec.kind === 'injector') return injectorType(typed, producer) ?? 'unknown';
  if (spec.kind === 'sink') return 'unknown';
  if (producer.type === 'code' && producer.code === undefined) return 'unknown';
  const port = producer.type === 'code' ? 'PortOf' : 'KnownPortOf';
  return `${prelude(port)}<typeof import('../${producer.id}/node').default, ${JSON.stringify(stream.from[1])}>`;
}

/** Undefined where neither connector nor settings tell. */
export function injectorType(typed: TypedPipeline, node: Node): string | undefined {
  const spec = typed.spec(node);
  const config = typed.config(node);
  if (typeof config.type === 'string') return `import('../${node.id}/type').default`;
  const known = spec?.valueType?.(config);
  if (known !== undefined) return known;
  if (isGenerator(spec, config))
    return `${prelude('Known')}<ReturnType<typeof import('../${node.id}/value').default>>`;
  if (config.format === 'text') return 'string';
  return config.format === 'csv' ? csvType(config.columns) : undefined;
}

/** The field `value` of an injector is an expression over `n`, `time` and `random()`. */
export function isGenerator(spec: NodeTypeSpec | undefined, config: Settings): boolean {
  return (
    spec?.kind === 'injector' &&
    spec.expressions?.includes('value') === true &&
    typeof config.value === 'string'
  );
}

/** Columns without a declared type are texts; with a question mark an empty cell is null. */
function csvType(columns: unknown): string {
  const rest = '{ [column: string]: string }';
  if (typeof columns !== 'object' || columns === null) return rest;
  const typed = Object.entries(columns)
    .filter(([, type]) => /^(string|(number|boolean|bigint)\??)$/.test(String(type)))
    .map(([name, type]) => `${JSON.stringify(name)}: ${String(type).replace('?', ' | null')}`);
  return typed.length === 0 ? rest : `{ ${typed.join('; ')} } & ${rest}`;
}

export function prelude(name: string): string {
  return `import('../prelude').${name}`;
}
