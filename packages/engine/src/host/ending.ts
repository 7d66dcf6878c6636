/** How a run of a pipeline ends. */
import type { FailureCause } from './run-options.ts';

export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: FailureCause };

export function failure(error: string, cause: FailureCause = 'outside'): Ending {
  return { kind: 'failed', error, cause };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
