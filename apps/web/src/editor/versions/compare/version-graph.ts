/** One side of a comparison: a version, or the draft as it was when it was asked for. */
import { type PipelineDocument, type Reading, toFolder } from '@millrace/document';
import type { PipelineFolder } from '@millrace/graph';
import { call } from '../../../api/call.ts';
import { folderOf } from '../../../document/folder-of.ts';
import type { SharedDraft } from '../../../document/shared-draft.ts';
import { documentOfFiles } from '../../../document/version-draft.ts';
import type { Side } from '../address.ts';

export interface VersionGraph {
  readonly reading: Reading;
  /** In canonical form, whatever form it was given in: so that equal is equal. */
  readonly folder: PipelineFolder;
}

/** `files`: path to text. */
export function graphOfFiles(files: Readonly<Record<string, string>>): VersionGraph {
  const document = documentOfFiles(files);
  const graph = graphOfDocument({ document });
  document.close();
  return graph;
}

export const graphOfDocument = ({ document }: { readonly document: PipelineDocument }): VersionGraph => ({
  reading: document.read(),
  folder: folderOf(document),
});

export const EMPTY_GRAPH: VersionGraph = graphOfFiles({ 'pipeline.json': '{"format":1,"name":""}' });

export async function loadSide(
  pipeline: string,
  side: Side,
  draft: SharedDraft,
  signal: AbortSignal,
): Promise<VersionGraph> {
  if (side === 'draft') return graphOfFiles(Object.fromEntries(toFolder(draft.document)));
  const { files } = await call('versions.files', { params: { pipeline, version: side }, signal });
  return graphOfFiles(files);
}
