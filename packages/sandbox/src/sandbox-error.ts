/** A worker cannot be started at all; the message says why and what to do. */
export class SandboxError extends Error {
  readonly code: 'no-binary' | 'not-built' | 'no-copy' | 'start-failed';
  readonly domain = 'external';

  constructor(code: SandboxError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SandboxError';
    this.code = code;
  }
}
