/** Calls of a Millrace server, typed by its table of routes. */
import {
  type AnswerOf,
  type ProblemBody,
  type RouteId,
  type RouteOf,
  routeSpec,
  type SentBodyOf,
} from '@millrace/protocol/api';

export const DEFAULT_SERVER = 'http://127.0.0.1:4780';

export interface ServerPlace {
  readonly server: string;
  readonly token: string;
}

export interface Asking<Id extends RouteId> {
  /** Of the path, such as `pipeline`. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: SentBodyOf<RouteOf<Id>>;
  readonly ifMatch?: string | number;
}

export interface ServerApi {
  readonly server: string;
  /** Throws a `ServerRefusal`, or an error for people where there is no such server. */
  call<Id extends RouteId>(id: Id, asking?: Asking<Id>): Promise<AnswerOf<RouteOf<Id>>>;
}

/** What there is to do in a folder, beside what the server says to everybody. */
const FOR_FOLDERS: Readonly<Record<string, string>> = {
  'read-only': ' To push this folder as a pipeline of its own, take the "id" out of its pipeline.json.',
};

/** What the server answered instead. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly problem: ProblemBody;

  constructor(status: number, problem: ProblemBody) {
    super(`The server refused: ${problem.detail ?? problem.title}${FOR_FOLDERS[problem.code] ?? ''}`);
    this.name = 'ServerRefusal';
    this.status = status;
    this.problem = problem;
  }
}

/** The token comes from the environment: what stands on a command line is seen by everybody on the machine. */
export function serverPlace(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ServerPlace | { readonly fault: string } {
  const server = (given ?? env.MILLRACE_SERVER ?? DEFAULT_SERVER).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(server) || !URL.canParse(server))
    return { fault: `--server ${server}: give an address such as https://millrace.example.org.` };
  const token = env.MILLRACE_TOKEN ?? '';
  if (!/^[\x21-\x7e]+$/.test(token)) return { fault: 'set MILLRACE_TOKEN to an API token of the server.' };
  return { server, token };
}

export function serverApi({ server, token }: ServerPlace): ServerApi {
  return {
    server,
    async call(id, { params = {}, query = {}, body, ifMatch } = {}) {
      const { method, path } = routeSpec(id);
      const url = new URL(server + filled(path, params));
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value));
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      // Redirected, the token would go to whoever the answer names.
      const request = fetch(url, { method: method.toUpperCase(), headers, redirect: 'error', ...sent });
      const answer = await request.catch((error: unknown) => {
        const cause = (error as Error).cause ?? error;
        throw new Error(
          `There is no Millrace at ${server}: ${(cause as Error).message}. Is it running? Name another one with --server.`,
        );
      });
      return (await readAnswer(answer, server)) as never;
    },
  };
}

const filled = (path: string, params: Readonly<Record<string, string | number>>): string =>
  path.replace(/:([A-Za-z]\w*)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

async function readAnswer(answer: Response, server: string): Promise<unknown> {
  const text = await answer.text();
  const isJson = /^application\/(problem\+)?json/.test(answer.headers.get('content-type') ?? '');
  if (answer.ok) return isJson ? JSON.parse(text) : undefined;
  if (!isJson) throw new Error(`${server} does not answer like a Millrace server (status ${answer.status}).`);
  throw new ServerRefusal(answer.status, JSON.parse(text) as ProblemBody);
}
