/** The recorded cases of a draft, and what the result of each depends on. */
import type { PipelineDocument } from '@millrace/document';
import { fileRole } from '@millrace/graph';
import { nodeIn } from './case-text.ts';

export interface CaseFile {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** The node it is for: what the file says, else the only code node. */
  readonly node: string | undefined;
}

export function casesOfDraft(document: PipelineDocument): readonly CaseFile[] {
  const { files, pipeline } = document.read();
  const codeNodes = [...pipeline.nodes.values()].filter(({ type }) => type === 'code');
  const only = codeNodes.length === 1 ? codeNodes[0]?.id : undefined;
  return [...files.values()]
    .filter(({ path }) => fileRole(path) === 'test')
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ id, path }) => {
      const text = document.code(id)?.toString() ?? '';
      return { id, path, text, node: nodeIn(text) ?? only };
    });
}

/** Code, settings and shared code that a node runs with. */
export function codeStamp(document: PipelineDocument, node: string | undefined): string {
  const { pipeline, files } = document.read();
  const found = pipeline.nodes.get(node ?? '');
  if (found === undefined) return '';
  const shared = [...files.values()]
    .filter(({ path }) => fileRole(path) === 'lib')
    .map(({ id, path }) => [path, document.code(id)?.toString()]);
  const parameters = [...pipeline.parameters];
  return JSON.stringify([found.config, document.code(found.id)?.toString(), shared, parameters]);
}

/** `tests/count.json`, `tests/count-2.json`: one that is not taken. */
export function casePathFor(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((path) => path.toLowerCase()));
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = words.slice(0, 60) || 'test';
  for (let n = 1; ; n += 1) {
    const path = `tests/${base}${n === 1 ? '' : `-${n}`}.json`;
    if (!used.has(path)) return path;
  }
}

/** `Counts two` → `tests/Counts two.json`; what cannot be a path is left to the refusal. */
export const pathOfName = (name: string): string =>
  `tests/${name
    .trim()
    .replace(/^tests\//, '')
    .replace(/\.json$/, '')}.json`;

export const nameOfPath = (path: string): string => path.replace(/^tests\//, '').replace(/\.json$/, '');
