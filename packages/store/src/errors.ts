/**
 * The two ways a call of the store ends badly. `FencedError`: the lease was claimed by somebody else, the caller
 * must stop. `StoreError`: the database cannot be used at all (in use, wrong version, no rights); its message
 * says what was tried, on what, why it failed and what to do. A database that is merely away is no error:
 * calls wait.
 */

export type StoreErrorCode =
  | 'in-use'
  | 'unsupported-platform'
  | 'no-account'
  | 'unreachable-folder'
  | 'start-failed'
  | 'newer-layout'
  | 'connect-failed'
  | 'closed'
  | 'taken-over'
  | 'bad-secret-key'
  | 'secret-absent'
  | 'secret-sealed'
  | 'data-role-off';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly domain: 'user' | 'external' | 'internal';

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { domain?: 'user' | 'external' | 'internal'; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.domain = options.domain ?? 'external';
  }
}

export class FencedError extends Error {
  readonly code = 'fenced';
  readonly domain = 'internal';

  constructor(what: string) {
    super(`${what} was refused: the lease has been claimed by another owner since (P6).`);
    this.name = 'FencedError';
  }
}
