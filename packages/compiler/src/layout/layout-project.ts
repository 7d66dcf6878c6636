/** Lays out the project of a pipeline. Total: whatever is missing or broken is simply not there. */
import {
  applyParameters,
  fileRole,
  isId,
  type Node,
  type NodeTypes,
  type Overrides,
  type PipelineFolder,
  resolveParameters,
  type Settings,
} from '@millrace/graph';
import { type Expression, expressionFile, typeFile } from './expression-files.ts';
import { operatorFile } from './operator-files.ts';
import { GLOBALS_FILE } from './options.ts';
import { PRELUDE, PRELUDE_PATH } from './prelude.ts';
import type { ProjectFile } from './project.ts';
import { streamsFile } from './streams-file.ts';
import { injectorType, isGenerator, streamType, type TypedPipeline } from './value-types.ts';

export interface Project {
  readonly files: ReadonlyMap<string, ProjectFile>;
  /** Injectors whose values have no type: `unknown` for their consumers. */
  readonly untyped: readonly Node[];
  readonly typed: TypedPipeline;
  /** What it was laid out with. */
  readonly types: NodeTypes;
  readonly overrides: Overrides | undefined;
}

const GENERATED = { kind: 'generated', path: [], role: 'declarations', spans: [] } as const;

export function layoutProject(folder: PipelineFolder, types: NodeTypes, overrides?: Overrides): Project {
  const { pipeline } = folder;
  const { values } = resolveParameters(pipeline.parameters, overrides);
  const configs = new Map<string, Settings>();
  for (const node of pipeline.nodes.values())
    configs.set(node.id, applyParameters(node.config, values).config);
  const typed: TypedPipeline = {
    pipeline,
    spec: (node) => types.get(node.type),
    config: (node) => configs.get(node.id) ?? {},
  };
  const files = new Map<string, ProjectFile>([
    ['/globals.d.ts', { text: GLOBALS_FILE, origin: GENERATED }],
    [PRELUDE_PATH, { text: PRELUDE, origin: GENERATED }],
  ]);
  for (const [path, text] of sorted(folder.files)) {
    if (fileRole(path) === 'lib') files.set(`/${path}`, { text, origin: { kind: 'file', file: path } });
  }
  for (const [id, node] of sorted(pipeline.nodes)) {
    if (isId('n', id)) addNode(files, folder, typed, node);
  }
  for (const [, stream] of sorted(pipeline.streams)) {
    if (stream.keyBy === undefined || !isId('s', stream.id) || !isId('n', stream.to[0])) continue;
    const path = ['streams', stream.id, 'keyBy'];
    const expression: Expression = {
      role: 'keyBy',
      text: stream.keyBy,
      path,
      type: streamType(typed, stream),
      node: stream.to[0],
      stream: stream.id,
    };
    files.set(keyByPath(stream.to[0], stream.id), expressionFile(expression));
  }
  return { files, untyped: untypedInjectors(typed), typed, types, overrides };
}

export function keyByPath(node: string, stream: string): string {
  return `/${node}/key-by-${stream}.ts`;
}

function addNode(
  files: Map<string, ProjectFile>,
  folder: PipelineFolder,
  typed: TypedPipeline,
  node: Node,
): void {
  const { id } = node;
  const spec = typed.spec(node);
  const config = typed.config(node);
  const path = ['nodes', id, 'config'];
  if (spec?.kind === 'injector') {
    if (isGenerator(spec, config)) {
      const text = String(config.value);
      files.set(
        `/${id}/value.ts`,
        expressionFile({ role: 'value', text, path: [...path, 'value'], type: '', node: id }),
      );
    }
    if (typeof config.type === 'string')
      files.set(`/${id}/type.ts`, typeFile(config.type, [...path, 'type'], id));
    if (typeof config.timestamp !== 'string' || spec.expressions?.includes('timestamp') !== true) return;
    const type = injectorType(typed, node) ?? 'unknown';
    const expression: Expression = {
      role: 'timestamp',
      text: config.timestamp,
      path: [...path, 'timestamp'],
      type,
      node: id,
    };
    files.set(`/${id}/timestamp.ts`, expressionFile(expression));
  } else if (spec?.kind === 'computation') {
    const code = node.code === undefined ? undefined : folder.files.get(node.code);
    const file: ProjectFile | undefined =
      node.type !== 'code'
        ? operatorFile(node, config)
        : code === undefined
          ? undefined
          : { text: code, origin: { kind: 'file', file: node.code ?? '', node: id } };
    if (file === undefined) return;
    files.set(`/${id}/node.ts`, file);
    files.set(`/${id}/streams.d.ts`, {
      text: streamsFile(typed, node),
      origin: { ...GENERATED, path: ['nodes', id], node: id },
    });
  }
}

function untypedInjectors(typed: TypedPipeline): Node[] {
  const read = new Set([...typed.pipeline.streams.values()].map(({ from }) => from[0]));
  return [...typed.pipeline.nodes.values()].filter(
    (node) =>
      typed.spec(node)?.kind === 'injector' && read.has(node.id) && injectorType(typed, node) === undefined,
  );
}

function sorted<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
