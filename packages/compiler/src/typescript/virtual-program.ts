/** A TypeScript program over memory: no disk, no node_modules, one set of options. */
import ts from 'typescript-js';
import { COMPILER_OPTIONS } from '../layout/options.ts';
import type { Installed } from './installed.ts';

const LIB_FOLDER = '/lib.typescript/';

export function compilerOptions(): ts.CompilerOptions {
  const { options, errors } = ts.convertCompilerOptionsFromJson(COMPILER_OPTIONS, '/');
  if (errors.length > 0)
    throw new Error(`bad compiler options: ${errors.map((e) => e.messageText).join('; ')}`);
  return options;
}

/** What the program before was made of: files that are still the same are not read again. */
export interface EarlierProgram {
  readonly sources: Map<string, ts.SourceFile>;
  program: ts.Program | undefined;
}

export function virtualProgram(
  files: ReadonlyMap<string, string>,
  installed: Installed,
  earlier?: EarlierProgram,
): ts.Program {
  const options = compilerOptions();
  const read = (path: string): string | undefined => {
    if (path.startsWith(LIB_FOLDER)) return installed.libs.get(path.slice(LIB_FOLDER.length));
    return files.get(path) ?? installed.sdk.get(path);
  };
  const folders = new Set<string>();
  for (const path of [...files.keys(), ...installed.sdk.keys()]) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at));
  }
  const host: ts.CompilerHost = {
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
    directoryExists: (path) => path === '/' || folders.has(path.replace(/\/$/, '')),
    getSourceFile: (path, languageVersion) => {
      const text = read(path);
      if (text === undefined) return undefined;
      const known = earlier?.sources.get(path);
      if (known?.text === text) return known;
      const source = ts.createSourceFile(path, text, languageVersion, true);
      earlier?.sources.set(path, source);
      return source;
    },
    getDefaultLibFileName: (given) => LIB_FOLDER + ts.getDefaultLibFileName(given),
    getDefaultLibLocation: () => LIB_FOLDER.slice(0, -1),
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {},
  };
  const rootNames = [...files.keys()].sort();
  if (earlier === undefined) return ts.createProgram({ rootNames, options, host });
  const { program: oldProgram } = earlier;
  earlier.program = ts.createProgram({ rootNames, options, host, ...(oldProgram && { oldProgram }) });
  for (const path of earlier.sources.keys()) {
    if (earlier.program.getSourceFile(path) === undefined) earlier.sources.delete(path);
  }
  return earlier.program;
}
