/** The draft as everybody shares it, opened for this page. */
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { openDraft } from '../document/open-draft.ts';
import type { SharedDraft } from '../document/shared-draft.ts';
import { TYPES } from './open-editor.ts';

export interface LoadedDraft {
  readonly draft: SharedDraft;
  readonly canEdit: boolean;
}

export interface DraftWanted {
  readonly pipeline: string;
  readonly account: string;
  readonly mayWrite: boolean;
}

export async function loadDraft(
  { pipeline, account, mayWrite }: DraftWanted,
  signal: AbortSignal,
): Promise<LoadedDraft> {
  const entry = await call('pipelines.get', { params: { pipeline }, signal });
  const draft = await openDraft({ pipeline, account, types: TYPES });
  if ('kind' in draft)
    throw new ApiError({
      status: draft.code === 'not-found' ? 404 : 409,
      code: draft.code,
      detail: draft.reason,
    });
  return { draft, canEdit: mayWrite && !entry.readOnly && entry.deletedAt === null };
}
