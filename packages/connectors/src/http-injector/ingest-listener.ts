/**
 * The listener for `POST /in/<pipeline>/<injector>` of one process, shared by all its pipelines. On a server it is
 * reached by the forwarder only, over a Unix socket or with a secret as its token; `millrace run` opens one on
 * loopback.
 *
 * Owns: the sockets, the memory bodies may take, the order of the checks: who, where, what, how much, then the body.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connectors } from '@millrace/engine';
import { ByteBudget } from './byte-budget.ts';
import type { HttpInjector } from './http-injector.ts';
import { IngestDoors, type PipelineNames } from './ingest-doors.ts';
import { httpInjector } from './injector.ts';
import { type ReadBody, readBody } from './read-body.ts';
import { busy, refuse, replyOutcome, unavailable } from './reply.ts';
import { isRefusal, type Refusal, readHead, tooLarge } from './request-head.ts';
import type { PostOutcome } from './request-partition.ts';

export interface IngestListenerOptions {
  readonly at: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** The bearer token that is asked for; undefined: whoever reaches the socket may post. */
  readonly token: string | undefined;
  readonly connectors: Connectors;
  readonly limits?: Partial<IngestLimits>;
  /** Whether there is such an injector though it does not run now: its clients shall come again. */
  readonly known?: (pipeline: string, injector: string) => boolean;
  /** What went wrong and is nobody's fault outside. */
  readonly log: (message: string) => void;
}

export interface IngestLimits {
  /** Of one request, unpacked. */
  readonly requestBytes: number;
  /** Of all requests that are being read or wait for their commit. */
  readonly heldBytes: number;
  /** Without a byte of the body. */
  readonly stallMs: number;
  /** From a request's first byte to its last. */
  readonly requestMs: number;
  /** From its last byte to the answer. */
  readonly answerMs: number;
  readonly connections: number;
}

const LIMITS: IngestLimits = {
  requestBytes: 32 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  stallMs: 15_000,
  requestMs: 120_000,
  answerMs: 60_000,
  connections: 2_048,
};
const HEADERS_MS = 10_000;
const LARGEST_HEADER = 16 * 1024;

export interface IngestListener {
  /** Where it listens: the port, or undefined on a socket path. */
  readonly port: number | undefined;
  /** The connectors for a run of this pipeline: its HTTP injectors are reached through this listener. */
  connectorsFor(pipeline: PipelineNames): Connectors;
  close(): Promise<void>;
}

export async function openIngestListener(options: IngestListenerOptions): Promise<IngestListener> {
  const limits = { ...LIMITS, ...options.limits };
  const doors = new IngestDoors();
  const budget = new ByteBudget(limits.heldBytes);
  const door = new FrontDoor(doors, limits, options);
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: LARGEST_HEADER,
  });
  server.maxConnections = limits.connections;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    door.serve(request, response).catch((error: unknown) => {
      options.log(`a request could not be served: ${(error as Error).message}`);
      refuse(response, unavailable('The request could not be served; send it again.'));
    });
  };
  server.on('request', serve);
  // The client waits to hear whether its body is wanted.
  server.on('checkContinue', serve);
  await listen(server, options.at);
  return {
    port: 'port' in options.at ? (server.address() as AddressInfo).port : undefined,
    connectorsFor: (pipeline) => {
      const http = httpInjector({ doors, pipeline, budget });
      return {
        injector: (type) => (type === 'injector/http' ? http : options.connectors.injector(type)),
        sink: (type) => options.connectors.sink(type),
      };
    },
    close: () => close(server),
  };
}

class FrontDoor {
  readonly #doors: IngestDoors;
  readonly #limits: IngestLimits;
  readonly #token: Buffer | undefined;
  readonly #known: IngestListenerOptions['known'];

  constructor(doors: IngestDoors, limits: IngestLimits, { token, known }: IngestListenerOptions) {
    this.#known = known;
    this.#doors = doors;
    this.#limits = limits;
    this.#token = token === undefined ? undefined : hashed(token);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const injector = this.#find(request);
    if ('status' in injector) return refuse(response, injector);
    const head = readHead(request.headers, this.#limits.requestBytes);
    if (isRefusal(head)) return refuse(response, head);
    if (injector.partition.paused) return refuse(response, unavailable('The pipeline is paused.'));
    if (injector.full) return refuse(response, busy());
    if (request.headers.expect !== undefined) response.writeContinue();
    const limits = { bytes: this.#limits.requestBytes, stallMs: this.#limits.stallMs };
    const read = await readBody(request, head, limits, injector.budget);
    if (read.kind === 'broken-off') return void request.destroy();
    if (read.kind !== 'whole') return refuse(response, this.#unread(read.kind));
    const { body, digest } = read;
    const { key, format } = head;
    const outcome = injector.post({ key, format, digest, bytes: body.bytes }).finally(() => body.release());
    replyOutcome(response, await inTime(outcome, this.#limits.answerMs));
  }

  #find(request: IncomingMessage): HttpInjector | Refusal {
    if (!this.#mayPost(request.headers.authorization)) return UNAUTHORISED;
    const names = namesIn(request.url ?? '');
    if (names === undefined) return NOWHERE;
    if (request.method !== 'POST') return POST_ONLY;
    const found = this.#doors.find(names.pipeline, names.injector);
    if (found.kind === 'open') return found.injector;
    if (this.#known?.(names.pipeline, names.injector) === true)
      return unavailable('The pipeline is starting or stopping.');
    return { status: 404, code: found.kind, detail: UNKNOWN[found.kind] };
  }

  #mayPost(authorization: string | undefined): boolean {
    if (this.#token === undefined) return true;
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(hashed(given), this.#token);
  }

  #unread(kind: Exclude<ReadBody['kind'], 'whole' | 'broken-off'>): Refusal {
    if (kind === 'too-large') return tooLarge(this.#limits.requestBytes);
    if (kind === 'no-room') return busy();
    return kind === 'stalled' ? STALLED : NOT_GZIP;
  }
}

/** The records may go in all the same: what is held for them stays held. */
async function inTime(outcome: Promise<PostOutcome>, ms: number): Promise<PostOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<PostOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unavailable', begun: true }), ms);
  });
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer));
}

/** `/in/<pipeline>/<injector>`, each percent-encoded. */
function namesIn(url: string): { readonly pipeline: string; readonly injector: string } | undefined {
  const match = /^\/in\/([^/?#]+)\/([^/?#]+)\/?(?:\?.*)?$/.exec(url);
  if (match === null) return undefined;
  try {
    return {
      pipeline: decodeURIComponent(match[1] as string),
      injector: decodeURIComponent(match[2] as string),
    };
  } catch {
    return undefined;
  }
}

function hashed(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function listen(server: Server, at: IngestListenerOptions['at']): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const listening = () => {
      server.off('error', reject);
      resolve();
    };
    if ('socketPath' in at) server.listen(at.socketPath, listening);
    else server.listen(at.port, at.host, listening);
  });
}

/** Whoever still waits gets an answer from its injector, which is closed first. */
async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(timer);
}

const UNAUTHORISED: Refusal = {
  status: 401,
  code: 'bad-token',
  detail: 'Send the token for this pipeline as `Authorization: Bearer <token>`.',
  headers: { 'www-authenticate': 'Bearer' },
};
const NOWHERE: Refusal = {
  status: 404,
  code: 'no-such-path',
  detail: 'Records are posted to /in/<pipeline>/<injector>.',
};
const POST_ONLY: Refusal = {
  status: 405,
  code: 'post-only',
  detail: 'Records are posted here: use POST.',
  headers: { allow: 'POST' },
};
const UNKNOWN = {
  'unknown-pipeline': 'No pipeline of this id or name takes requests here.',
  'unknown-injector': 'The pipeline has no HTTP injector of this id or name.',
  ambiguous: 'Several pipelines have this name: use the id.',
} as const;
const STALLED: Refusal = { status: 408, code: 'too-slow', detail: 'The body stopped in the middle.' };
const NOT_GZIP: Refusal = {
  status: 400,
  code: 'not-gzip',
  detail: 'Content-Encoding is gzip and the body is not, or not all of it.',
};
