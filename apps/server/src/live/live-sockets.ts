/**
 * The sockets of the product: WebSocket only, known by session or token, from this site only.
 *
 * Owns: sockets, and that their rights are those of this moment. What they watch is each session's.
 * Invariants
 *   SO1  Host and Origin are checked in front of the handshake; a cookie counts only from this site.
 *   SO2  an access change is acted on within a second; a socket whose rights cannot be read by then is closed.
 *   SO3  what a client may hold open and ask for is bounded (`socket-caps`), and so is what it may send at once.
 */
import type http from 'node:http';
import type { WorkerLauncher } from '@millrace/engine';
import { SOCKET_PROTOCOL } from '@millrace/protocol/api';
import type { Logger } from 'pino';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import { type AccessChanges, concerns } from '../accounts/access-changes.ts';
import type { Actor } from '../http/actor.ts';
import type { Authenticate, Credentials } from '../http/create-app.ts';
import { Problem } from '../http/problem.ts';
import type { Site } from '../http/site.ts';
import { tell } from './event-hub.ts';
import { type LiveParts, LiveSession } from './live-session.ts';
import type { LiveSource } from './live-source.ts';
import { AccountTally, CAPS, EventBudget } from './socket-caps.ts';
import type { TapFeed } from './tap-feed.ts';
import type { ViewBoard } from './view-board.ts';

export interface LiveSocketsOptions {
  readonly http: http.Server;
  readonly site: Site;
  readonly authenticate: Authenticate;
  readonly access: AccessChanges;
  readonly source: LiveSource;
  readonly board: ViewBoard;
  /** Starts the workers of viewers' filters. */
  readonly filters: WorkerLauncher;
  readonly isVisible: LiveParts['isVisible'];
  readonly observed: LiveParts['observed'];
  readonly documents: LiveParts['documents'];
  readonly build: string;
  readonly log: Logger;
}

export interface LiveSockets {
  /** Other parts of the server may speak on these sockets, too. */
  readonly io: Server;
  readonly count: () => number;
  close(): Promise<void>;
}

interface SocketData {
  actor: Actor;
  credentials: Credentials;
}
type LiveSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

interface Held {
  readonly socket: LiveSocket;
  readonly session: LiveSession;
}

/** Of one message from a client: a part of an edit, or a history, and what is around it. */
const MOST_BYTES = 512 * 1024;
/** A session or a token may also end by time alone. */
const REREAD_EVERY_MS = 30_000;
/** SO2. */
const REREAD_WITHIN_MS = 800;
const CONNECT_WITHIN_MS = 5_000;
/** A connection that is cut without a word is noticed, by either side, within twice this. */
const PING_MS = 8_000;

export function liveSockets(options: LiveSocketsOptions): LiveSockets {
  const { source, board, filters, isVisible, observed, documents, log, access } = options;
  const io = new Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>(options.http, {
    path: '/socket',
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MOST_BYTES,
    connectTimeout: CONNECT_WITHIN_MS,
    pingInterval: PING_MS,
    pingTimeout: PING_MS,
    perMessageDeflate: false,
    allowRequest: (request, answer) => answer(null, mayConnect(options, request, io)),
  });
  const sessions = new Map<string, Held>();
  const feeds = new Map<string, TapFeed>();
  const accounts = new AccountTally(CAPS.socketsOfAccount);
  const parts: LiveParts = {
    source,
    board,
    filters,
    isVisible,
    observed,
    documents,
    log,
    feeds,
    taps: new AccountTally(CAPS.tapsOfAccount),
    openFilters: new AccountTally(CAPS.filtersOfAccount),
  };

  io.use((socket, next) => {
    admit(options, socket).then(
      () => next(),
      (error: unknown) => next(connectError(error, log)),
    );
  });
  io.on('connection', (socket) => {
    const { actor } = socket.data;
    const giveBack = accounts.take(actor);
    if (giveBack === undefined) return void socket.disconnect(true);
    const session = new LiveSession(socket, actor, parts);
    sessions.set(socket.id, { socket, session });
    socket.on('disconnect', () => {
      sessions.delete(socket.id);
      session.close();
      giveBack();
    });
    limitEvents(socket);
    tell(socket, 'hello', { protocol: SOCKET_PROTOCOL, build: options.build, epoch: board.epoch });
  });

  const reread = ({ socket, session }: Held, withinMs?: number) =>
    rereadRights({ authenticate: options.authenticate, socket, session, log, withinMs });
  const stopAccess = access.onAccessChanged((change) => {
    for (const held of sessions.values())
      if (concerns(change, held.session.actor)) void reread(held, REREAD_WITHIN_MS);
  });
  const timer = setInterval(() => {
    for (const held of sessions.values()) void reread(held);
  }, REREAD_EVERY_MS);
  const stopSource = source.listen({
    tap: ({ tap, batches, dropped }) => {
      const feed = feeds.get(tap);
      if (feed === undefined) source.tapTaken(tap);
      else void feed.take(batches, dropped);
    },
    tapEnded: (tap) => endTap(sessions, tap, 'not-running', 'The pipeline does not run any more.'),
    host: (state) => {
      if (state === 'ready') for (const [tap, feed] of feeds) void askAgain(sessions, tap, feed);
    },
  });
  return {
    io,
    count: () => sessions.size,
    async close() {
      clearInterval(timer);
      stopAccess();
      stopSource();
      // Not `io.close`, which would close the HTTP server as well: that is not ours.
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

function mayConnect({ site }: LiveSocketsOptions, request: http.IncomingMessage, io: Server): boolean {
  const { host, origin, cookie, authorization } = request.headers;
  if (!site.allowsHost(host) || io.engine.clientsCount >= CAPS.socketsInAll) return false;
  if (origin !== undefined) return site.allowsOrigin(origin, host);
  return cookie === undefined || authorization !== undefined;
}

async function admit({ authenticate }: LiveSocketsOptions, socket: LiveSocket): Promise<void> {
  const { token, protocol } = socket.handshake.auth as { token?: unknown; protocol?: unknown };
  if (protocol !== SOCKET_PROTOCOL)
    throw new Problem(
      400,
      'other-protocol',
      'This page is of another version than the server: load it again.',
    );
  const { cookie, authorization } = socket.handshake.headers;
  const bearer = typeof token === 'string' ? `Bearer ${token}` : authorization;
  socket.data.credentials = { headers: { cookie, authorization: bearer } };
  socket.data.actor = await authenticate(socket.data.credentials);
  if (socket.data.actor.kind === 'nobody')
    throw new Problem(401, 'not-logged-in', 'Log in, or send an API token.');
}

/** socket.io hands `data` to the client; nothing else of an error leaves. */
function connectError(error: unknown, log: Logger): Error {
  if (!(error instanceof Problem)) log.error({ err: error }, 'a socket could not be admitted');
  const { code, message } =
    error instanceof Problem ? error : { code: 'internal', message: 'Something went wrong on the server.' };
  return Object.assign(new Error(message), { data: { code, detail: message } });
}

function limitEvents(socket: LiveSocket): void {
  const budget = new EventBudget();
  socket.use((_event, next) => {
    if (budget.spend()) next();
    else socket.disconnect(true);
  });
}

interface Reread extends Held {
  readonly authenticate: Authenticate;
  readonly log: Logger;
  /** Undefined: a database that is away is waited for. */
  readonly withinMs: number | undefined;
}

async function rereadRights({ authenticate, socket, session, log, withinMs }: Reread): Promise<void> {
  const late = withinMs === undefined ? undefined : setTimeout(() => socket.disconnect(true), withinMs);
  try {
    const actor = await authenticate(socket.data.credentials);
    if (actor.kind === 'nobody') return void socket.disconnect(true);
    await session.recheck(actor);
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error }, 'the rights of a socket could not be read');
    socket.disconnect(true);
  } finally {
    clearTimeout(late);
  }
}

type Sessions = ReadonlyMap<string, { readonly session: LiveSession }>;

function endTap(sessions: Sessions, tap: string, code: string, detail: string): void {
  for (const { session } of sessions.values()) session.tapEnded(tap, code, detail);
}

async function askAgain(sessions: Sessions, tap: string, feed: TapFeed): Promise<void> {
  const refused = await feed.ask();
  if (refused !== undefined) endTap(sessions, tap, refused.code, refused.message);
}
