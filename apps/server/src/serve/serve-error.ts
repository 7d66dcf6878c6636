/** The server cannot start, for a reason that whoever starts it can do something about. */
export class ServeError extends Error {
  readonly code: 'port-taken' | 'bad-host';
  readonly domain = 'user';

  constructor(code: ServeError['code'], message: string) {
    super(message);
    this.name = 'ServeError';
    this.code = code;
  }
}
