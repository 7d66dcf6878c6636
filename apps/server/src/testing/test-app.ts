/** A server for tests: the real application on a free port, with an actor of the test's choice. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Role, type Scope, scopesOf } from '@millrace/protocol/api';
import { pino } from 'pino';
import { type Actor, DEFAULT_WORKSPACE, NOBODY } from '../http/actor.ts';
import { type App, type Authenticate, createApp } from '../http/create-app.ts';
import type { Feature } from '../http/handler.ts';
import { site } from '../http/site.ts';

export interface TestApp {
  readonly url: string;
  readonly app: App;
  /** Who makes the calls from now on. */
  act(actor: Actor): void;
  /** `fetch` against this server, JSON in and out. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  close(): Promise<void>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON; else the text. */
  readonly body: unknown;
}

export const silent = pino({ level: 'silent' });

export const accountActor = (role: Role, name: string = role): Actor => ({
  kind: 'account',
  account: `a_${name}`,
  email: `${name}@example.org`,
  name,
  session: `s_${name}`,
  workspace: DEFAULT_WORKSPACE,
  role,
  scopes: new Set(scopesOf(role)),
});

export const tokenActor = (scopes: readonly Scope[], pipeline?: string): Actor => ({
  kind: 'token',
  token: 't_test',
  name: 'test',
  account: 'a_owner',
  workspace: DEFAULT_WORKSPACE,
  scopes: new Set(scopes),
  pipeline,
});

export async function startTestApp(
  features: readonly Feature[],
  authenticate?: Authenticate,
): Promise<TestApp> {
  let actor: Actor = NOBODY;
  const app = createApp({
    log: silent,
    site: site({ host: '127.0.0.1', publicUrl: undefined }),
    authenticate: authenticate ?? (async () => actor),
    features,
  });
  const server = http.createServer(app.express);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    app,
    act: (next) => {
      actor = next;
    },
    call: (method, path, body, headers) => call(url, method, path, body, headers),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      origin: url,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}
