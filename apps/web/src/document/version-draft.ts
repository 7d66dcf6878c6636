/**
 * A version as the editor shows it: a document of its own, made in this page from the version's files, that takes no
 * edits. Everything that shows a draft shows a version, too, and needs to know of no second form.
 */
import { openDocument, type PipelineDocument, type Refusal, seedDocument } from '@millrace/document';
import { readFolder } from '@millrace/graph';
import type { DraftState } from './draft.ts';
import type { SharedDraft } from './shared-draft.ts';

/** Of nobody: the document is never sent anywhere. */
const CLIENT = 1;

/** `files`: path to text, as the server hands a version out. */
export function documentOfFiles(files: Readonly<Record<string, string>>): PipelineDocument {
  const folder = readFolder(new Map(Object.entries(files)));
  // A folder nobody can read is an empty pipeline: what is wrong stands among its problems.
  if (!folder.readable) return openDocument();
  return seedDocument(folder, { epoch: 1, clientId: CLIENT, random: Math.random });
}

export function versionDraft(document: PipelineDocument, reason: string): SharedDraft {
  const state: DraftState = { save: { kind: 'read-only', reason }, undo: undefined, redo: undefined };
  const nobody: readonly never[] = [];
  const refusal: Refusal = { kind: 'refused', code: 'read-only', reason };
  const never = (): (() => void) => () => undefined;
  return {
    document,
    typing: {},
    asOneStep: () => undefined,
    leftOver: undefined,
    presence: { peers: () => nobody, subscribe: never, show: () => undefined },
    ended: () => undefined,
    run: () => refusal,
    undo: () => ({ kind: 'nothing' }),
    redo: () => ({ kind: 'nothing' }),
    state: () => state,
    subscribe: never,
    flush: async () => undefined,
    close: document.close,
  };
}
