/**
 * Help while an expression of a form is typed: completion, types on hover, parameters of a call. A field's model holds
 * the expression alone; TypeScript is asked about the place where it stands in the pipeline's project, so that it says
 * what the check says.
 */
import type { editor, languages, Position } from 'monaco-editor/editor';
import * as typescript from 'monaco-editor/languages/definitions/typescript/typescript';

type Monaco = typeof import('monaco-editor/editor');

/** Its own, so that nothing takes a field's model for a file of the pipeline. */
export const EXPRESSION = 'expression';

export interface ExpressionSource {
  /** Brings what is typed into the draft, and says where it stands then; undefined: no expression belongs there. */
  readonly place: () => { readonly file: string; readonly start: number; readonly text: string } | undefined;
}

/** Of the models of fields. */
export const expressionSources = new WeakMap<editor.ITextModel, ExpressionSource>();

interface Words {
  readonly text: string;
}

/** Of TypeScript's worker, what is asked here. */
export interface ExpressionAnswers {
  getCompletionsAtPosition(
    file: string,
    offset: number,
  ): Promise<{ readonly entries: readonly Entry[] } | undefined>;
  getCompletionEntryDetails(
    file: string,
    offset: number,
    name: string,
  ): Promise<
    { readonly displayParts: readonly Words[]; readonly documentation?: readonly Words[] } | undefined
  >;
  getQuickInfoAtPosition(
    file: string,
    offset: number,
  ): Promise<
    | {
        readonly textSpan: { readonly start: number; readonly length: number };
        readonly displayParts?: readonly Words[];
        readonly documentation?: readonly Words[];
      }
    | undefined
  >;
}

interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly sortText: string;
  readonly insertText?: string;
}

interface Asked {
  readonly worker: ExpressionAnswers;
  readonly file: string;
  /** Of the expression in the file, and of the place in the expression. */
  readonly start: number;
  readonly offset: number;
}

export function offerExpressionHelp(monaco: Monaco, answers: () => Promise<ExpressionAnswers>): void {
  const { languages: all, Uri } = monaco;
  all.register({ id: EXPRESSION });
  all.setLanguageConfiguration(EXPRESSION, typescript.conf);
  all.setMonarchTokensProvider(EXPRESSION, typescript.language);

  const ask = async (model: editor.ITextModel, position: Position): Promise<Asked | undefined> => {
    const place = expressionSources.get(model)?.place();
    if (place === undefined || place.text !== model.getValue()) return undefined;
    const file = Uri.parse(`file://${place.file}`).toString();
    return { worker: await answers(), file, start: place.start, offset: model.getOffsetAt(position) };
  };
  const kindOf = kinds(all.CompletionItemKind);

  all.registerCompletionItemProvider(EXPRESSION, {
    triggerCharacters: ['.'],
    provideCompletionItems: async (model, position) => {
      const asked = await ask(model, position);
      if (asked === undefined) return null;
      const { worker, file, start, offset } = asked;
      const found = await worker.getCompletionsAtPosition(file, start + offset);
      if (found === undefined || model.isDisposed()) return null;
      const { startColumn, endColumn } = model.getWordUntilPosition(position);
      const { lineNumber } = position;
      const range = { startLineNumber: lineNumber, endLineNumber: lineNumber, startColumn, endColumn };
      return {
        suggestions: found.entries.map(
          (entry): OfferedItem => ({
            label: entry.name,
            insertText: entry.insertText ?? entry.name,
            kind: kindOf(entry.kind),
            sortText: entry.sortText,
            range,
            asked,
          }),
        ),
      };
    },
    resolveCompletionItem: async (item) => {
      const { asked, label } = item as OfferedItem;
      const { worker, file, start, offset } = asked;
      const details = await worker.getCompletionEntryDetails(file, start + offset, String(label));
      if (details === undefined) return item;
      return {
        ...item,
        detail: joined(details.displayParts),
        documentation: { value: joined(details.documentation) },
      };
    },
  });

  all.registerHoverProvider(EXPRESSION, {
    provideHover: async (model, position) => {
      const asked = await ask(model, position);
      if (asked === undefined) return null;
      const { worker, file, start, offset } = asked;
      const info = await worker.getQuickInfoAtPosition(file, start + offset);
      if (info === undefined || model.isDisposed()) return null;
      const [from, to] = [info.textSpan.start - start, info.textSpan.start - start + info.textSpan.length];
      const [first, last] = [model.getPositionAt(Math.max(0, from)), model.getPositionAt(to)];
      return {
        range: {
          startLineNumber: first.lineNumber,
          startColumn: first.column,
          endLineNumber: last.lineNumber,
          endColumn: last.column,
        },
        contents: [
          { value: `\`\`\`typescript\n${joined(info.displayParts)}\n\`\`\`` },
          { value: joined(info.documentation) },
        ],
      };
    },
  });
}

interface OfferedItem extends languages.CompletionItem {
  readonly asked: Asked;
}

const joined = (parts: readonly Words[] = []): string => parts.map(({ text }) => text).join('');

function kinds(Kind: typeof languages.CompletionItemKind): (kind: string) => languages.CompletionItemKind {
  const known = new Map<string, languages.CompletionItemKind>([
    ['property', Kind.Field],
    ['getter', Kind.Field],
    ['method', Kind.Method],
    ['function', Kind.Function],
    ['parameter', Kind.Variable],
    ['const', Kind.Variable],
    ['let', Kind.Variable],
    ['var', Kind.Variable],
    ['class', Kind.Class],
    ['interface', Kind.Interface],
    ['type', Kind.Interface],
    ['keyword', Kind.Keyword],
    ['module', Kind.Module],
    ['string', Kind.Value],
  ]);
  return (kind) => known.get(kind) ?? Kind.Text;
}
