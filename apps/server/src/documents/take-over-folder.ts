/** A folder that was written beside the document, as edits of the document. Decides; stores nothing. */
import { editApart, MAX_DRAFT, SERVER_CLIENT_ID, type Shadow } from '@millrace/document';
import type { NodeTypes, PipelineFolder } from '@millrace/graph';

export type TakenOver =
  /** In the copy already; to be stored and sent. */
  | { readonly kind: 'edited'; readonly update: Uint8Array }
  | { readonly kind: 'same' }
  /** It cannot be had by edits: the document has to begin anew. */
  | { readonly kind: 'anew' };

export function takeOverFolder(
  shadow: Shadow,
  folder: PipelineFolder,
  options: { readonly types: NodeTypes; readonly random: () => number },
): TakenOver {
  const outcome = editApart(shadow, { kind: 'apply-folder', folder }, options);
  if (outcome.kind === 'refused') return { kind: 'anew' };
  if (outcome.update === undefined) return { kind: 'same' };
  const sender = { clientIds: new Set([SERVER_CLIENT_ID]), maxUpdate: MAX_DRAFT };
  const taken = shadow.take(outcome.update, sender);
  if (taken.kind === 'known') return { kind: 'same' };
  return taken.kind === 'taken' ? { kind: 'edited', update: taken.update } : { kind: 'anew' };
}
