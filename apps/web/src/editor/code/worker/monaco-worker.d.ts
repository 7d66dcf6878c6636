/** What Monaco's worker is made of has no types of its own. */

declare module 'monaco-editor/languages/features/typescript/lib/typescriptServices' {
  import type ts from 'typescript-js';
  export const typescript: typeof ts;
}

declare module 'monaco-editor/languages/features/typescript/lib/lib' {
  /** `lib.es5.d.ts`, … by name. */
  export const libFileMap: Readonly<Record<string, string>>;
}

declare module 'monaco-editor/languages/features/typescript/tsWorker' {
  export interface ExtraLibs {
    readonly [path: string]: { readonly content: string };
  }
  export type RenameInfo =
    | { readonly canRename: true }
    | { readonly canRename: false; readonly localizedErrorMessage: string };
  export class TypeScriptWorker {
    constructor(context: unknown, data: unknown);
    getExtraLibs(): ExtraLibs;
    findRenameLocations(
      file: string,
      position: number,
      inStrings: boolean,
      inComments: boolean,
      prefixAndSuffix: boolean,
    ): Promise<readonly { readonly fileName: string }[] | undefined>;
    getRenameInfo(file: string, position: number, options: unknown): Promise<RenameInfo>;
  }
}

declare module 'monaco-editor/languages/features/typescript/ts.worker' {
  export function initialize(create: (context: unknown, data: unknown) => object): void;
}

declare module 'monaco-editor/editor/standalone/browser/standaloneServices' {
  export const StandaloneServices: { initialize(overrides: Readonly<Record<string, object>>): unknown };
}

declare module 'monaco-editor/languages/definitions/typescript/typescript' {
  import type { languages } from 'monaco-editor/editor';
  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
