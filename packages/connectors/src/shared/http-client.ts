/**
 * One HTTP request with its answer, for connectors: guarded addresses, bounded answers, redirects that keep the body.
 *
 * Node's `fetch` takes no resolver, so the address that is checked could not be the one that is connected to; these
 * are `node:http` requests with the guarded `lookup`.
 *
 * Invariants
 *   - Every hop is guarded like the first: by name before it is resolved, by address when the socket is made.
 *   - Only 307 and 308 are followed, at most five times: the others would turn the request into a GET and lose its
 *     body. Across origins nothing of the settings' headers goes along, for any of them may be a credential.
 *   - Of an answer at most 64 kB is kept; the rest is not read.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type AddressRules, guardedLookup, refuseHost } from './address-guard.ts';
import { errorCode } from './connector-error.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** Go along to any origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Go along to the origin of `url` only. */
  readonly ownHeaders: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Of an answer that redirects and was not followed. */
  readonly location: string | undefined;
  readonly text: string;
}

export interface HttpClient {
  /** Rejects when there is no answer: the address is refused, nobody listens, the time is over, `signal` aborts. */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  close(): void;
}

const MOST_REDIRECTS = 5;
const MOST_ANSWER_BYTES = 64 * 1024;

export class HttpTroubleError extends Error {
  readonly code: 'timeout' | 'redirects' | 'protocol' | 'stopped';

  constructor(code: HttpTroubleError['code'], message: string) {
    super(message);
    this.name = 'HttpTroubleError';
    this.code = code;
  }
}

/** `rules` undefined: everything that whoever runs the process may reach. */
export function httpClient(rules: AddressRules | undefined, mostSockets: number): HttpClient {
  const options = { keepAlive: true, maxSockets: mostSockets, scheduling: 'lifo' } as const;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  const send = (url: URL, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
    const { protocol } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new HttpTroubleError('protocol', `it leads to an address with ${protocol}//, not http or https.`);
    const port = Number(url.port || (protocol === 'http:' ? 80 : 443));
    if (rules !== undefined) refuseHost({ host: url.hostname, port }, rules);
    return exchange(url, request, {
      signal,
      agent: agents[protocol],
      lookup: rules && guardedLookup(port, rules),
    });
  };
  return {
    async request(request, signal) {
      let { url } = request;
      for (let hops = 0; ; hops++) {
        const own = url.origin === request.url.origin ? request.ownHeaders : {};
        const answer = await send(url, { ...request, ownHeaders: own }, signal);
        if ((answer.status !== 307 && answer.status !== 308) || answer.location === undefined) return answer;
        if (!URL.canParse(answer.location, url.href)) return answer;
        if (hops === MOST_REDIRECTS)
          throw new HttpTroubleError('redirects', `it was sent on more than ${MOST_REDIRECTS} times.`);
        url = new URL(answer.location, url);
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Way {
  readonly signal: AbortSignal;
  readonly agent: http.Agent;
  readonly lookup: ReturnType<typeof guardedLookup> | undefined;
}

function exchange(url: URL, request: HttpRequest, way: Way): Promise<HttpAnswer> {
  const { method, headers, ownHeaders, body, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const protocol = url.protocol === 'http:' ? http : https;
    const sent = protocol.request(url, {
      method,
      agent: way.agent,
      ...(way.lookup && { lookup: way.lookup }),
      headers: { ...headers, ...ownHeaders, 'content-length': String(body.length) },
    });
    const give = (error: Error): void => void sent.destroy(error);
    const timer = setTimeout(
      () => give(new HttpTroubleError('timeout', `there was no whole answer within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const stop = (): void => give(new HttpTroubleError('stopped', 'it was stopped.'));
    way.signal.addEventListener('abort', stop, { once: true });
    const over = (): void => {
      clearTimeout(timer);
      way.signal.removeEventListener('abort', stop);
    };
    const failed = (error: Error): void => {
      over();
      // The target closed a resting connection just as it was taken again: no sign that it is away.
      const stale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');
      if (stale && !way.signal.aborted) resolve(exchange(url, request, way));
      else reject(error);
    };
    sent.on('error', failed);
    sent.on('response', (answer) => {
      readText(answer).then((text) => {
        over();
        resolve({ ...headOf(answer), text });
      }, failed);
    });
    if (way.signal.aborted) stop();
    else sent.end(body);
  });
}

function headOf({ statusCode = 0, headers }: IncomingMessage) {
  return { status: statusCode, retryAfter: headers['retry-after'], location: headers.location };
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection; an answer that is too long costs one.
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8');
}
