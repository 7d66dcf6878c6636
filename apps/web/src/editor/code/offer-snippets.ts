import type { Snippet } from './snippets.ts';

type Monaco = typeof import('monaco-editor/editor');

/** Offered while one types, once for all editors. */
export function offerSnippets(monaco: Monaco, pieces: readonly Snippet[]): void {
  monaco.languages.registerCompletionItemProvider('typescript', {
    provideCompletionItems: (model, position) => {
      const word = model.getWordUntilPosition(position);
      const before = model.getLineContent(position.lineNumber).slice(0, word.startColumn - 1);
      // Pieces are statements: inside one they would only be in the way.
      if (before.trim() !== '') return { suggestions: [] };
      return {
        suggestions: pieces.map(({ id, title, text }) => ({
          label: { label: id, description: title },
          kind: monaco.languages.CompletionItemKind.Snippet,
          insertText: text.trimEnd(),
          insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet,
          range: {
            startLineNumber: position.lineNumber,
            endLineNumber: position.lineNumber,
            startColumn: word.startColumn,
            endColumn: word.endColumn,
          },
        })),
      };
    },
  });
}
