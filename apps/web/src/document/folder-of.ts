/** A draft in the form its rules are about. Several look at it after each change; it is made once for all of them. */
import { type PipelineDocument, toFolder } from '@millrace/document';
import { type PipelineFolder, readFolder } from '@millrace/graph';

interface Kept {
  folder: PipelineFolder | undefined;
}

const kept = new WeakMap<PipelineDocument, Kept>();

/** The same object until something changes, typing included. */
export function folderOf(document: PipelineDocument): PipelineFolder {
  const of = kept.get(document) ?? keep(document);
  of.folder ??= readFolder(toFolder(document));
  return of.folder;
}

function keep(document: PipelineDocument): Kept {
  const of: Kept = { folder: undefined };
  kept.set(document, of);
  // Before anybody is told: whoever looks then sees what is new.
  document.doc.on('beforeObserverCalls', () => {
    of.folder = undefined;
  });
  return of;
}
