/** Takes a port: the one asked for, or from the default on the first that is free. */
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServeError } from './serve-error.ts';
import { DEFAULT_PORT } from './serve-options.ts';

export interface Listening {
  readonly port: number;
  /** The port somebody else has: nobody asked for it, so another was taken. */
  readonly insteadOf: number | undefined;
}

/** So many neighbours of the default port are tried. */
const TRIES = 50;

export async function listen(
  server: http.Server,
  host: string,
  asked: number | undefined,
  from: number = DEFAULT_PORT,
): Promise<Listening> {
  if (asked !== undefined) {
    const outcome = await tryPort(server, host, asked);
    if (typeof outcome === 'number') return { port: outcome, insteadOf: undefined };
    throw refused(outcome, host, asked);
  }
  for (let port = from; port < from + TRIES; port++) {
    const outcome = await tryPort(server, host, port);
    if (typeof outcome === 'number') return { port, insteadOf: port === from ? undefined : from };
    if (outcome.code !== 'EADDRINUSE') throw refused(outcome, host, port);
  }
  throw new ServeError(
    'port-taken',
    `The ports from ${from} to ${from + TRIES - 1} are all taken: name one with --port.`,
  );
}

function tryPort(server: http.Server, host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error);
    server.once('error', failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function refused({ code, message }: NodeJS.ErrnoException, host: string, port: number): ServeError {
  if (code === 'EADDRINUSE')
    return new ServeError(
      'port-taken',
      `Port ${port} on ${host} is taken by another program: give another with --port.`,
    );
  if (code === 'EACCES')
    return new ServeError(
      'port-taken',
      `This user may not open port ${port}: give one above 1023 with --port.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ServeError(
      'bad-host',
      `${host} is no address of this machine: give 127.0.0.1, 0.0.0.0 or one of its own with --host.`,
    );
  return new ServeError('bad-host', `Cannot listen on ${host}, port ${port}: ${message}.`);
}

/** Idle connections are closed at once, the others when they have their answer, at the latest after this. */
const CLOSE_LIMIT_MS = 3_000;

export async function closeServer(server: http.Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}
