/** All code of a draft that can import something. */
import type { PipelineDocument } from '@millrace/document';
import { fileRole } from '@millrace/graph';
import type { CodeText } from './shared-code.ts';

export function codesOf(document: PipelineDocument): readonly CodeText[] {
  const { pipeline, files } = document.read();
  const nodes = [...pipeline.nodes.values()]
    .filter(({ code }) => code !== undefined)
    .map(({ id, name }) => ({ id, name, isShared: false }));
  const shared = [...files.values()]
    .filter(({ path }) => fileRole(path) === 'lib')
    .map(({ id, path }) => ({ id, name: path, isShared: true }));
  return [...nodes, ...shared].map((code) => ({ ...code, text: document.code(code.id)?.toString() ?? '' }));
}
