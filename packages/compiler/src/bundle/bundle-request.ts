/** What crosses the border to the process that bundles: plain data, both ways. */

export interface BundleRequest {
  /** Virtual project, with `/entry.js`. */
  readonly files: ReadonlyMap<string, string>;
  /** How stack traces call a file: `/n_x/node.ts` → `nodes/x.ts`. */
  readonly names: ReadonlyMap<string, string>;
}

export interface BundleError {
  readonly path: string | undefined;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
}

export type BundleResult =
  | { readonly kind: 'built'; readonly code: string }
  | { readonly kind: 'failed'; readonly errors: readonly BundleError[] };

export const ENTRY_PATH = '/entry.js';
