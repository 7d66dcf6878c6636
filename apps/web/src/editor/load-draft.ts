/** The draft as the server has it, opened for this page. */
import { ApiError, messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Draft } from '../document/draft.ts';
import { openLocalDraft, type PutOutcome } from '../document/local-draft.ts';
import { TYPES } from './open-editor.ts';

export interface LoadedDraft {
  readonly draft: Draft;
  readonly canEdit: boolean;
}

export async function loadDraft(
  pipeline: string,
  mayWrite: boolean,
  signal: AbortSignal,
): Promise<LoadedDraft> {
  const params = { pipeline };
  const [entry, draft] = await Promise.all([
    call('pipelines.get', { params, signal }),
    call('draft.get', { params, signal }),
  ]);
  const canEdit = mayWrite && !entry.readOnly && entry.deletedAt === null;
  const put = async (files: Readonly<Record<string, string>>, revision: number): Promise<PutOutcome> => {
    try {
      const answer = await call('draft.put', { params, body: { files }, ifMatch: revision });
      return { kind: 'saved', revision: answer.revision };
    } catch (error) {
      const isConflict = error instanceof ApiError && error.facts.status === 412;
      return isConflict ? { kind: 'conflict' } : { kind: 'failed', reason: messageOf(error) };
    }
  };
  const opened = openLocalDraft({
    files: draft.files,
    revision: draft.revision,
    readOnly: !canEdit,
    types: TYPES,
    put,
    storage: localStorage,
    key: pipeline,
  });
  return { draft: opened, canEdit };
}
