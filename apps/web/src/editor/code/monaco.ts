/**
 * Monaco, set up for pipeline code: only TypeScript, the pipeline's own compiler options, the SDK's sources for
 * types and hover. Heavy: loaded by `load-monaco.ts` when code is first opened. The only import of Monaco.
 */
import {
  type CheckRequest,
  type CheckResult,
  COMPILER_OPTIONS,
  GLOBALS_FILE,
  PRELUDE,
  PRELUDE_PATH,
} from '@millrace/compiler/layout';
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices';
import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/typescript/register';
import {
  getTypeScriptWorker,
  typescriptDefaults,
} from 'monaco-editor/languages/features/typescript/register';
import { type ExpressionAnswers, offerExpressionHelp } from './expressions/expression-language.ts';
import { followTheme } from './monaco-theme.ts';
import { offerSnippets } from './offer-snippets.ts';
import { oneStepEdits } from './one-step-edits.ts';
import { PIECES } from './snippets.ts';
import './quiet-leaks.ts';
import TypeScriptWorker from './worker/check-worker.ts?worker';

const SDK = import.meta.glob<string>(
  ['../../../../../packages/sdk/src/**/*.ts', '!../../../../../packages/sdk/src/**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
);

self.MonacoEnvironment = {
  getWorker: (_id, label) => (label === 'typescript' ? new TypeScriptWorker() : new EditorWorker()),
};

const {
  lib,
  target: _,
  module: _m,
  moduleResolution: _r,
  moduleDetection: _d,
  paths,
  ...same
} = COMPILER_OPTIONS;

/** As numbers of TypeScript 5.9, whose names Monaco's types do not all have. */
const OPTIONS = {
  ...same,
  target: 10,
  module: 99,
  moduleResolution: 100,
  moduleDetection: 3,
  lib: lib.map((name) => `lib.${name.toLowerCase()}.d.ts`),
  types: [...same.types],
  paths: Object.fromEntries(
    Object.entries(paths).map(([name, places]) => [name, places.map((place) => `file://${place}`)]),
  ),
};

// Before anything asks for a service: they are made once.
StandaloneServices.initialize({
  IWorkspaceEditService: oneStepEdits((uri) => monaco.editor.getModel(uri)),
});
typescriptDefaults.setCompilerOptions(OPTIONS as never);
// The whole pipeline is checked after every change, not the one file that changed.
typescriptDefaults.setDiagnosticsOptions({
  noSemanticValidation: true,
  noSyntaxValidation: true,
  noSuggestionDiagnostics: true,
});
typescriptDefaults.setEagerModelSync(true);
typescriptDefaults.setExtraLibs([
  { content: GLOBALS_FILE, filePath: 'file:///globals.d.ts' },
  { content: PRELUDE, filePath: `file://${PRELUDE_PATH}` },
  ...Object.entries(SDK).map(([path, content]) => ({
    content,
    filePath: `file:///sdk/${path.slice(path.indexOf('/sdk/src/') + '/sdk/src/'.length)}`,
  })),
]);
followTheme(monaco.editor);
offerSnippets(monaco, PIECES);
offerExpressionHelp(monaco, typeScript);

export interface TypeScriptDiagnostic {
  readonly start?: number | undefined;
  readonly length?: number | undefined;
  readonly code: number;
  readonly messageText: string | { readonly messageText: string };
}

export interface TypeScriptAnswers extends ExpressionAnswers {
  getSyntacticDiagnostics(file: string): Promise<readonly TypeScriptDiagnostic[]>;
  getSemanticDiagnostics(file: string): Promise<readonly TypeScriptDiagnostic[]>;
  /** Undefined: a newer check was asked for meanwhile. */
  checkPipeline(request: CheckRequest): Promise<CheckResult | undefined>;
  getFormattingEditsForDocument(
    file: string,
    options: object,
  ): Promise<
    readonly {
      readonly span: { readonly start: number; readonly length: number };
      readonly newText: string;
    }[]
  >;
}

/** The worker, told of these models' newest text. */
export async function typeScript(...models: readonly monaco.Uri[]): Promise<TypeScriptAnswers> {
  const worker = await getTypeScriptWorker();
  return (await worker(...models)) as unknown as TypeScriptAnswers;
}

export { monaco };
