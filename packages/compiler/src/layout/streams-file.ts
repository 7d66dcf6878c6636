/** `./streams` of a node: `Inputs`, made from the wires, and `Params`. */
import type { Node, ParameterType, Stream } from '@millrace/graph';
import { streamType, type TypedPipeline } from './value-types.ts';

export function streamsFile(typed: TypedPipeline, node: Node): string {
  const inputs = inputsOf(typed, node).map(
    ([port, types]) => `  ${JSON.stringify(port)}: ${types.join(' | ') || 'unknown'};\n`,
  );
  const params = [...typed.pipeline.parameters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type }]) => `  readonly ${JSON.stringify(name)}: ${PARAMETER_TYPES[type]};\n`);
  return [
    '/** Made from the wires of the pipeline; changes are overwritten. */\n',
    `export interface Inputs {\n${inputs.join('')}}\n`,
    `export interface Params {\n${params.join('')}}\n`,
  ].join('\n');
}

/** The streams into a node by input name, both sorted. */
export function inputsOf(typed: TypedPipeline, node: Node): [port: string, types: string[]][] {
  const ports = new Map<string, Stream[]>();
  for (const stream of typed.pipeline.streams.values()) {
    if (stream.to[0] !== node.id) continue;
    ports.set(stream.to[1], [...(ports.get(stream.to[1]) ?? []), stream]);
  }
  // An unwired input of an operator is there, so that its absence is told once, by the graph.
  const fixed = typed.spec(node)?.inputs ?? 'any';
  for (const port of fixed === 'any' ? [] : fixed) if (!ports.has(port)) ports.set(port, []);
  return [...ports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([port, streams]) => [
      port,
      [...new Set(streams.map((stream) => streamType(typed, stream)))].sort(),
    ]);
}

/** A duration reaches code as it was written. */
const PARAMETER_TYPES: Readonly<Record<ParameterType, string>> = {
  duration: 'string',
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};
