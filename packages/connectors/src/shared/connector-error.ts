/** What a connector throws when it cannot go on: what was tried, on what, why it failed and what to do. */

export interface ConnectorFault {
  readonly code: string;
  /** The node's name, as people know it. */
  readonly node: string;
  /** Completes "could not …". */
  readonly tried: string;
  readonly reason: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

export class ConnectorError extends Error {
  readonly code: string;
  readonly domain = 'external';
  readonly node: string;
  readonly remedy: string;

  constructor(fault: ConnectorFault) {
    super(`Node "${fault.node}" could not ${fault.tried}: ${fault.reason} ${fault.remedy}`, {
      cause: fault.cause,
    });
    this.name = 'ConnectorError';
    this.code = fault.code;
    this.node = fault.node;
    this.remedy = fault.remedy;
  }
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
