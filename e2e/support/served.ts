/** The server as people start it, and clients of it that know nothing but HTTP, cookies, tokens and sockets. */
import { createServer } from 'node:net';
import { SOCKET_PROTOCOL } from '@millrace/protocol/api';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { type Running, type Started, startMillrace } from './millrace.ts';

export interface Served extends Running {
  readonly url: string;
  /** Of the link that makes the first owner. */
  readonly ownerSecret: string | undefined;
  /** Another one leads on the same database. */
  readonly standsBy: boolean;
}

export async function serve(
  data: string,
  { args = [], ...options }: Started & { readonly args?: readonly string[] } = {},
): Promise<Served> {
  const running = startMillrace(['serve', '--data', data, ...args], options);
  const line = await running.printed(/Millrace (is|stands by) at .*\n/);
  const [, how, url = ''] = /Millrace (is|stands by) at ([^\s:]+:[^\s:]+:\d+|\S+)/.exec(line) ?? [];
  return { ...running, url, ownerSecret: /\/setup#(\S+)/.exec(line)?.[1], standsBy: how === 'stands by' };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly code: string | undefined;
}

export type Headered = Readonly<Record<string, string | undefined>>;
type Sent = string | Uint8Array<ArrayBuffer>;

/** Somebody who calls the server, with a cookie, a token or nothing. */
export class Caller {
  readonly url: string;
  readonly headers: Headered;

  constructor(url: string, headers: Headered = {}) {
    this.url = url;
    this.headers = headers;
  }

  static withToken = (url: string, token: string): Caller =>
    new Caller(url, { authorization: `Bearer ${token}`, origin: undefined });

  /** `body`: text and bytes go as they are, all else as JSON. A header that is undefined is left out. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    more: Headered = {},
  ): Promise<Answer<T>> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const given: Headered = {
      origin: this.url,
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...this.headers,
      ...more,
    };
    const headers = Object.entries(given).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: isRaw ? (body as Sent) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
    const code = typeof parsed?.code === 'string' ? parsed.code : undefined;
    return { status: response.status, headers: response.headers, body: parsed, code };
  }

  /** As `call`, of what must work. */
  async done<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    more: Headered = {},
  ): Promise<T> {
    const answer = await this.call<T>(method, path, body, more);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A socket of the same person. */
  socket(options: Partial<ManagerOptions & SocketOptions> = {}): Socket {
    const headers = Object.fromEntries(
      Object.entries({ origin: this.url, ...this.headers }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    return io(this.url, {
      path: '/socket',
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 200,
      auth: { protocol: SOCKET_PROTOCOL },
      extraHeaders: headers,
      ...options,
    });
  }
}

export const PASSWORD = 'long enough it is';

/** Who the answer to a log-in, a set-up or an acceptance belongs to. */
function person(url: string, answer: Answer<unknown>): Caller {
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`no cookie: ${answer.status} ${JSON.stringify(answer.body)}`);
  return new Caller(url, { cookie });
}

export async function setUp({ url, ownerSecret }: Served, email = 'owner@example.org'): Promise<Caller> {
  const body = { secret: ownerSecret, email, password: PASSWORD };
  return person(url, await new Caller(url).call('POST', '/api/v1/setup', body));
}

export async function logIn(url: string, email: string): Promise<Caller> {
  return person(url, await new Caller(url).call('POST', '/api/v1/login', { email, password: PASSWORD }));
}

/** Invites somebody and accepts as them. */
export async function join(owner: Caller, role: string, email: string): Promise<Caller> {
  const { url } = await owner.done<{ url: string }>('POST', '/api/v1/invitations', { role, email });
  const body = { secret: url.split('#')[1], email, password: PASSWORD };
  return person(owner.url, await new Caller(owner.url).call('POST', '/api/v1/invitations/accept', body));
}

export async function makeToken(
  of: Caller,
  scopes: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly token: string }> {
  return of.done('POST', '/api/v1/tokens', { name: 'of a test', scopes, ...more });
}

/** The draft becomes a version, and that is deployed. */
export async function publishAndDeploy(by: Caller, pipeline: string): Promise<number> {
  const { number } = await by.done<{ number: number }>('POST', `/api/v1/pipelines/${pipeline}/versions`, {});
  await by.done('POST', `/api/v1/pipelines/${pipeline}/deployment`, { version: number });
  return number;
}

export interface Deployment {
  readonly desired: string;
  readonly observed: { readonly state: string; readonly reason: string | null };
}

export const deploymentOf = (by: Caller, pipeline: string): Promise<Deployment> =>
  by.done<Deployment>('GET', `/api/v1/pipelines/${pipeline}/deployment`);

export const ask = (socket: Socket, event: string, payload: unknown): Promise<Record<string, unknown>> =>
  socket.timeout(20_000).emitWithAck(event, payload);
