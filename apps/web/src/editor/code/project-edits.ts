/** What edits of several files at once mean for the draft: typing in shared texts, and settings. All of it or nothing. */
import type { Project, ProjectFile } from '@millrace/compiler/layout';
import type { Command } from '@millrace/document';
import type { Pipeline, PipelineFolder } from '@millrace/graph';
import type { editor } from 'monaco-editor/editor';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { codeWords } from '../../text/strings/code.ts';
import type { EditsTaker, FileEdit } from './one-step-edits.ts';
import { settingsAfter } from './renamed-settings.ts';

export interface EditedProject {
  readonly draft: SharedDraft;
  /** As the models have it. */
  readonly latest: () => { readonly folder: PipelineFolder; readonly project: Project } | undefined;
  /** Where a model lies in the project, and whether its text is a shared one. */
  readonly placeOf: (
    model: editor.ITextModel,
  ) => { readonly path: string; readonly isShared: boolean } | undefined;
}

export const projectEdits = ({ draft, latest, placeOf }: EditedProject): EditsTaker => ({
  take: (edits) => {
    const typed: (readonly [editor.ITextModel, readonly FileEdit['textEdit'][]])[] = [];
    const commands: Command[] = [];
    const now = latest();
    if (now === undefined) return codeWords.notYours;
    const { pipeline } = now.folder;
    for (const [model, changes] of edits) {
      const place = placeOf(model);
      if (place === undefined) return codeWords.notYours;
      if (place.isShared) typed.push([model, changes]);
      else {
        const settings = settingsOf(pipeline, now.project.files.get(place.path), model, changes);
        if (settings === undefined) return codeWords.notWritten;
        commands.push(...settings);
      }
    }
    draft.asOneStep(() => {
      for (const [model, changes] of typed) {
        model.pushEditOperations(
          [],
          changes.map(({ range, text }) => ({ range, text })),
          () => null,
        );
      }
      for (const command of commands) draft.run(command);
    });
    return undefined;
  },
});

function settingsOf(
  pipeline: Pipeline,
  file: ProjectFile | undefined,
  model: editor.ITextModel,
  changes: readonly FileEdit['textEdit'][],
): readonly Command[] | undefined {
  if (file === undefined || model.getValue() !== file.text) return undefined;
  const edits = changes.map(({ range, text }) => ({
    start: model.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn }),
    end: model.getOffsetAt({ lineNumber: range.endLineNumber, column: range.endColumn }),
    text,
  }));
  return settingsAfter(pipeline, file, edits);
}
