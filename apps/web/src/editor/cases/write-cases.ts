/** Writes a case into its file of the draft: only what is another of its text, so that two may edit it at a time. */
import type { Splice } from '@millrace/document';
import type { EditorActions } from '../editor-actions.ts';
import type { CaseFile } from './cases-of-draft.ts';

export function writeText(actions: EditorActions, { id, text }: CaseFile, next: string): void {
  if (text === next) return;
  actions.run({ kind: 'edit-code', code: id, splices: [spliceOf(text, next)] });
}

export function spliceOf(before: string, after: string): Splice {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return {
    at: start,
    remove: before.length - start - end,
    insert: after.slice(start, after.length - end),
  };
}
