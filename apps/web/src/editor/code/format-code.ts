/** Formats a whole text, as one step to undo. */
import type { editor } from 'monaco-editor/editor';
import type { SharedDraft } from '../../document/shared-draft.ts';

type Monaco = typeof import('./monaco.ts');

const OPTIONS = {
  indentSize: 2,
  tabSize: 2,
  newLineCharacter: '\n',
  convertTabsToSpaces: true,
  semicolons: 'insert',
  insertSpaceAfterCommaDelimiter: true,
  insertSpaceAfterSemicolonInForStatements: true,
  insertSpaceBeforeAndAfterBinaryOperators: true,
  insertSpaceAfterKeywordsInControlFlowStatements: true,
  insertSpaceAfterFunctionKeywordForAnonymousFunctions: true,
  insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: true,
};

export async function formatCode(
  { typeScript }: Monaco,
  instance: editor.IStandaloneCodeEditor,
  draft: SharedDraft,
): Promise<void> {
  const model = instance.getModel();
  if (model === null) return;
  const version = model.getVersionId();
  const worker = await typeScript(model.uri);
  const edits = await worker.getFormattingEditsForDocument(model.uri.toString(), OPTIONS);
  // Somebody typed meanwhile: what was worked out is of another text.
  if (edits.length === 0 || model.isDisposed() || model.getVersionId() !== version) return;
  draft.asOneStep(() =>
    instance.executeEdits(
      'format',
      edits.map(({ span, newText }) => {
        const [from, to] = [model.getPositionAt(span.start), model.getPositionAt(span.start + span.length)];
        return {
          range: {
            startLineNumber: from.lineNumber,
            startColumn: from.column,
            endLineNumber: to.lineNumber,
            endColumn: to.column,
          },
          text: newText,
        };
      }),
    ),
  );
}
