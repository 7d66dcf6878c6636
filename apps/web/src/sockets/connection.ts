/**
 * The page's one socket. It is opened when somebody first asks for something and stays; while it is away,
 * nothing is asked; who watches something asks again at `onConnected`.
 */
import {
  type ClientEvent,
  type EventAnswer,
  type EventPayload,
  type ServerEvent,
  SOCKET_PROTOCOL,
} from '@millrace/protocol/api';
import { io, type Socket } from 'socket.io-client';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { sessionEnded } from '../api/session-ended.ts';

const ANSWER_WITHIN_MS = 10_000;

export type Connection =
  | { readonly kind: 'unopened' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly epoch: string; readonly build: string }
  /** `since`: wall ms. It is tried again by itself. */
  | { readonly kind: 'reconnecting'; readonly since: number }
  /** The server speaks another protocol or refuses: only a reload helps. */
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

export const connectionStore = createStore<{ readonly connection: Connection }>(() => ({
  connection: { kind: 'unopened' },
}));
export const useConnection = (): Connection => useStore(connectionStore, (state) => state.connection);

let socket: Socket | undefined;
const connected = new Set<() => void>();

/** For what has events of its own; everything else goes through `request` and `onEvent`. */
export function openSocket(): Socket {
  socket ??= connect();
  return socket;
}

/** After signing in again: socket.io does not try again by itself what a server refused. */
export function reviveSocket(): void {
  if (socket && !socket.active) socket.connect();
}

/** Ends it: who signs out watches nothing more. */
export function closeSocket(): void {
  socket?.disconnect();
  socket = undefined;
  set({ kind: 'unopened' });
}

export const isConnected = (): boolean => connectionStore.getState().connection.kind === 'connected';

/** Runs now if connected, and after every reconnect; gives the way to stop. */
export function onConnected(listener: () => void): () => void {
  connected.add(listener);
  openSocket();
  if (isConnected()) listener();
  return () => void connected.delete(listener);
}

export async function request<N extends ClientEvent>(
  event: N,
  payload: EventPayload<N>,
): Promise<EventAnswer<N>> {
  return openSocket().timeout(ANSWER_WITHIN_MS).emitWithAck(event, payload);
}

/** `answer` acknowledges, for events that wait for it before the next is sent. */
export function onEvent<N extends ServerEvent>(
  event: N,
  listener: (payload: EventPayload<N>, answer: () => void) => void,
): () => void {
  const open = openSocket();
  const handle = (payload: EventPayload<N>, answer: unknown) =>
    listener(payload, typeof answer === 'function' ? () => answer() : () => undefined);
  open.on(event as string, handle);
  return () => void open.off(event as string, handle);
}

function connect(): Socket {
  const opened = io({
    path: '/socket',
    transports: ['websocket'],
    auth: { protocol: SOCKET_PROTOCOL },
    reconnectionDelay: 300,
    reconnectionDelayMax: 2_000,
  });
  set({ kind: 'connecting' });
  opened.on('hello', ({ epoch, build }: EventPayload<'hello'>) => {
    set({ kind: 'connected', epoch, build });
    for (const listener of connected) listener();
  });
  opened.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    lost();
    // Sent away by the server: rights or session may be others now, which the next attempt tells.
    if (reason === 'io server disconnect') opened.connect();
  });
  opened.on('connect_error', refused);
  return opened;
}

function refused(error: Error & { data?: { code: string; detail: string } }): void {
  if (error.data === undefined) return lost();
  if (error.data.code === 'not-logged-in') sessionEnded.report();
  set({ kind: 'refused', ...error.data });
}

function lost(): void {
  const { connection } = connectionStore.getState();
  if (connection.kind !== 'reconnecting') set({ kind: 'reconnecting', since: Date.now() });
}

const set = (connection: Connection): void => connectionStore.setState({ connection });
