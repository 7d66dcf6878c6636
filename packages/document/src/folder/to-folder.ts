/** The draft in canonical folder form: what a version is made of. The same bytes on every peer. */
import { codePathFault, LAYOUT_FILE, type PipelineFiles, writeFolder } from '@millrace/graph';
import type { PipelineDocument } from '../shape/open-document.ts';
import { writeLayout } from './layout-json.ts';

export function toFolder(document: PipelineDocument): PipelineFiles {
  const { pipeline, layout } = document.read();
  const layoutText = writeLayout(layout);
  const files = filesOf(document);
  if (layoutText !== undefined) files.set(LAYOUT_FILE, layoutText);
  return writeFolder(pipeline, files);
}

/** Path to text of all code, libraries and tests, as it is being typed: not in canonical form. */
export function filesOf(document: PipelineDocument): Map<string, string> {
  const { pipeline, files } = document.read();
  const result = new Map<string, string>();
  for (const node of pipeline.nodes.values()) {
    const text = document.code(node.id)?.toString();
    if (text === undefined || node.code === undefined || codePathFault(node.code) !== undefined) continue;
    result.set(node.code, text);
  }
  for (const { id, path } of files.values()) result.set(path, document.code(id)?.toString() ?? '');
  return result;
}
