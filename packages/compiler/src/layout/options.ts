/**
 * Compiler options and global names of pipeline code. They belong to the pipeline's format: the browser, the
 * server and other editors check with exactly these, so the same code has the same errors everywhere.
 */

/** In tsconfig spelling; paths are of the virtual project, whose root is `/`. */
export const COMPILER_OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  moduleDetection: 'force',
  strict: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  allowUnreachableCode: true,
  isolatedModules: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  paths: { '@millrace/sdk': ['/sdk/index.ts'], '#lib/*': ['/lib/*'] },
} as const;

/** What exists at run time beside the language itself. Timers, console and network do not. */
export const GLOBALS_FILE = `
declare function structuredClone<T>(value: T): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;
interface TextEncoder { encode(text?: string): Uint8Array; }
declare var TextEncoder: { new (): TextEncoder };
interface TextDecoder { decode(bytes?: Uint8Array | ArrayBuffer): string; }
declare var TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };
interface URLSearchParams extends Iterable<[string, string]> {
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  toString(): string;
}
declare var URLSearchParams: { new (init?: string | Record<string, string> | Iterable<[string, string]>): URLSearchParams };
interface URL {
  hash: string; host: string; hostname: string; href: string; readonly origin: string; password: string;
  pathname: string; port: string; protocol: string; search: string; readonly searchParams: URLSearchParams;
  username: string; toString(): string;
}
declare var URL: { new (url: string, base?: string | URL): URL; canParse(url: string, base?: string): boolean };
`;
