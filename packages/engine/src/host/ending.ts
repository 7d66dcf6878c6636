/** How a run of a pipeline ends. */
import type { FailureCause } from './run-options.ts';

export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: FailureCause };

export function failure(error: string, cause: FailureCause = 'outside'): Ending {
  return { kind: 'failed', error, cause };
}

/** Thrown where the store refuses a write of this host's: it is no fault, and trying again is for others. */
export class TakenOver extends Error {
  /** As on the store's own refusals. */
  readonly code = 'fenced';

  constructor() {
    super('another host has taken over this pipeline; this one has stopped');
  }
}

export function causeOf(error: unknown): FailureCause {
  return (error as { code?: unknown } | undefined)?.code === 'fenced' ? 'fenced' : 'outside';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
