/**
 * The code of a checked pipeline as one ES module text, with an inline source map. Its default export is
 * `PipelineCode`. Built in a child process with limits; equal input gives equal text.
 */
import { fileRole, type Issue, type PipelineFolder, type RunPlan } from '@millrace/graph';
import { type BundleError, ENTRY_PATH } from './bundle/bundle-request.ts';
import { type EntryParts, entryFile } from './bundle/entry-file.ts';
import { LIMITS, type Limits, type Outcome, runHere, runInChild } from './child/run-in-child.ts';
import { readSdkVersion } from './installed.ts';
import { expressionFile } from './layout/expression-files.ts';
import { keyByPath } from './layout/layout-project.ts';
import { operatorFile } from './layout/operator-files.ts';
import type { ProjectFile } from './layout/project.ts';
import { locate } from './locate.ts';

export type BuiltBundle =
  | { readonly kind: 'built'; readonly code: string; readonly sdkVersion: string }
  | { readonly kind: 'failed'; readonly issues: readonly Issue[] };

export interface BundleOptions {
  readonly limits?: Limits;
  readonly inProcess?: boolean;
}

export async function buildBundle(
  folder: PipelineFolder,
  plan: RunPlan,
  options: BundleOptions = {},
): Promise<BuiltBundle> {
  const sdkVersion = readSdkVersion();
  const { files, parts } = collect(folder, plan, sdkVersion);
  const names = new Map([...files].map(([path, { origin }]) => [path, nameOf(origin)]));
  const texts = new Map([...files].map(([path, { text }]) => [path, text]));
  texts.set(ENTRY_PATH, entryFile(parts, names));
  const job = { kind: 'bundle', request: { files: texts, names } } as const;
  const limits = options.limits ?? LIMITS;
  const outcome = options.inProcess === true ? await runHere(job) : await runInChild(job, limits);
  if (outcome.kind !== 'done') return { kind: 'failed', issues: [stopped(outcome, limits)] };
  if (outcome.result.kind !== 'bundle') throw new Error('the child answered another job');
  const { result } = outcome.result;
  if (result.kind === 'built') return { kind: 'built', code: result.code, sdkVersion };
  return { kind: 'failed', issues: result.errors.map((error) => errorIssue(folder, files, error)) };
}

interface Collected {
  readonly files: Map<string, ProjectFile>;
  readonly parts: EntryParts;
}

function collect(folder: PipelineFolder, plan: RunPlan, sdkVersion: string): Collected {
  const files = new Map<string, ProjectFile>();
  const parts = {
    nodes: new Map<string, string>(),
    keyBy: new Map<string, string>(),
    timestamps: new Map<string, string>(),
    values: new Map<string, string>(),
    sdkVersion,
  };
  const add = (group: Map<string, string>, id: string, path: string, file: ProjectFile | undefined): void => {
    if (file === undefined) throw new Error(`nothing to bundle for '${id}': the pipeline was not checked`);
    files.set(path, file);
    group.set(id, path);
  };
  for (const [path, text] of [...folder.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (fileRole(path) === 'lib') files.set(`/${path}`, { text, origin: { kind: 'file', file: path } });
  }
  for (const node of plan.nodes) {
    if (node.kind === 'computation') {
      const code = folder.pipeline.nodes.get(node.id)?.code ?? '';
      const text = folder.files.get(code);
      const written: ProjectFile | undefined =
        text === undefined ? undefined : { text, origin: { kind: 'file', file: code, node: node.id } };
      const path = `/${node.id}/node.ts`;
      add(parts.nodes, node.id, path, node.type === 'code' ? written : operatorFile(node, node.config));
      const origin = { kind: 'generated', path: [], role: 'declarations', spans: [] } as const;
      files.set(`/${node.id}/streams.d.ts`, { text: '', origin });
    } else if (node.kind === 'injector') {
      for (const role of ['timestamp', 'value'] as const) {
        const text = node.config[role];
        if (typeof text !== 'string') continue;
        const file = expressionFile({
          role,
          text,
          path: ['nodes', node.id, 'config', role],
          type: 'unknown',
          node: node.id,
        });
        add(role === 'value' ? parts.values : parts.timestamps, node.id, `/${node.id}/${role}.ts`, file);
      }
    }
  }
  for (const stream of plan.streams) {
    const text = folder.pipeline.streams.get(stream.id)?.keyBy;
    if (!stream.keyed || text === undefined) continue;
    const node = plan.nodes[stream.to]?.id ?? '';
    const file = expressionFile({
      role: 'keyBy',
      text,
      path: ['streams', stream.id, 'keyBy'],
      type: 'unknown',
      stream: stream.id,
    });
    add(parts.keyBy, stream.id, keyByPath(node, stream.id), file);
  }
  return { files, parts };
}

/** How a stack trace calls a file. */
function nameOf(origin: ProjectFile['origin']): string {
  return origin.kind === 'file' ? origin.file : `pipeline.json/${origin.path.join('.')}`;
}

function errorIssue(
  folder: PipelineFolder,
  files: ReadonlyMap<string, ProjectFile>,
  error: BundleError,
): Issue {
  const file = error.path === undefined ? undefined : files.get(error.path);
  const lines = (file?.text ?? '').split('\n').slice(0, error.line - 1);
  const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
  return { code: 'bundle', severity: 'error', message: error.message, ...locate(folder, file, start) };
}

function stopped(outcome: Exclude<Outcome, { kind: 'done' }>, limits: Limits): Issue {
  const why = {
    timeout: `took longer than ${limits.timeoutMs / 1000} s`,
    'out-of-memory': `needed more than ${limits.memoryMb} MB`,
    crashed: `broke off: ${outcome.kind === 'crashed' ? outcome.detail.slice(0, 500) : ''}`,
  }[outcome.kind];
  const message = `bundling the code ${why}; is one of the files very large?`;
  return {
    code: `bundle-${outcome.kind}`,
    severity: 'error',
    message,
    file: 'pipeline.json',
    line: 1,
    column: 1,
  };
}
