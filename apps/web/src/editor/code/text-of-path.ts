import type { PipelineDocument } from '@millrace/document';

/** The code at a path of a folder; undefined: there is none. */
export function textOfPath(document: PipelineDocument, path: string): string | undefined {
  const { pipeline, files } = document.read();
  const found =
    [...pipeline.nodes.values()].find(({ code }) => code === path) ??
    [...files.values()].find((file) => file.path === path);
  return found && document.code(found.id)?.toString();
}
