/** Puts a snippet into the code that is shown: a computation instead of all of it, a piece where the cursor is. */
import type { editor } from 'monaco-editor/editor';
import type { SharedDraft } from '../../document/shared-draft.ts';
import type { Snippet } from './snippets.ts';

interface SnippetController extends editor.IEditorContribution {
  insert(text: string): void;
}

export interface InsertedSnippet {
  readonly instance: editor.IStandaloneCodeEditor;
  readonly draft: SharedDraft;
  readonly snippet: Snippet;
  readonly isWhole: boolean;
}

export function insertSnippet({ instance, draft, snippet, isWhole }: InsertedSnippet): void {
  const model = instance.getModel();
  const controller = instance.getContribution<SnippetController>('snippetController2');
  if (model === null || controller === null) return;
  instance.focus();
  if (isWhole) instance.setSelection(model.getFullModelRange());
  draft.asOneStep(() => controller.insert(snippet.text));
}
