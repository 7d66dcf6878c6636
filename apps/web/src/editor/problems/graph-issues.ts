import type { PipelineDocument } from '@millrace/document';
import { type Issue, type NodeTypes, sortIssues, validateFolder } from '@millrace/graph';
import { folderOf } from '../../document/folder-of.ts';

/** What merging broke, and what the graph's rules say. */
export function graphIssues(document: PipelineDocument, types: NodeTypes): readonly Issue[] {
  const { problems } = document.read();
  return sortIssues([...problems, ...validateFolder(folderOf(document), types)]);
}
