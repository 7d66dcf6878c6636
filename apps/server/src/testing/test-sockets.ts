/** Live sockets on a free port, with an actor and an engine host of the test's choice. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkerLauncher } from '@millrace/engine';
import { SOCKET_PROTOCOL } from '@millrace/protocol/api';
import type { Entries } from '@millrace/store';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { accessChanges } from '../accounts/access-changes.ts';
import type { DocumentHub } from '../documents/document-hub.ts';
import { DocumentSession } from '../documents/document-session.ts';
import type { Edited } from '../documents/edit-audit.ts';
import { type Actor, NOBODY } from '../http/actor.ts';
import { site } from '../http/site.ts';
import { type LiveSockets, liveSockets } from '../live/live-sockets.ts';
import type { LiveSource } from '../live/live-source.ts';
import { ViewBoard } from '../live/view-board.ts';
import { FakeLiveSource } from './fake-live-source.ts';
import { silent } from './test-app.ts';

const NO_FILTERS: WorkerLauncher = {
  launch: () => Promise.reject(new Error('this test runs no filters')),
  close: async () => undefined,
};

export interface TestSocketOptions {
  readonly filters?: WorkerLauncher;
  /** Instead of one that says what the test makes it say. */
  readonly source?: LiveSource;
  /** Drafts to be edited; without it there are none. */
  readonly edited?: Edited;
  readonly drafts?: { readonly hub: DocumentHub; readonly entries: Pick<Entries, 'get'> };
}

const NO_DRAFTS = {
  entries: { get: async () => undefined },
  hub: { written: async () => undefined } as unknown as DocumentHub,
};

export async function startTestSockets({
  filters = NO_FILTERS,
  source: real,
  drafts = NO_DRAFTS,
  edited = () => undefined,
}: TestSocketOptions = {}) {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const source = new FakeLiveSource();
  const board = new ViewBoard(real ?? source);
  const access = accessChanges();
  const who = { actor: NOBODY as Actor, visible: (pipeline: string) => pipeline !== 'p_hidden', hang: false };
  const sockets: LiveSockets = liveSockets({
    http: server,
    site: site({ host: '127.0.0.1', publicUrl: undefined }),
    authenticate: () => (who.hang ? new Promise<Actor>(() => undefined) : Promise.resolve(who.actor)),
    access,
    source: real ?? source,
    board,
    filters,
    isVisible: async (_workspace, pipeline) => who.visible(pipeline),
    observed: async () => undefined,
    documents: (socket, actor) => new DocumentSession({ edited, ...drafts, socket, actor }),
    build: 'test',
    log: silent,
  });
  const clients: Socket[] = [];
  const url = `http://127.0.0.1:${port}`;
  const connect = (options: Partial<ManagerOptions & SocketOptions> = {}): Socket => {
    const client = io(url, {
      path: '/socket',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth: { protocol: SOCKET_PROTOCOL },
      ...options,
    });
    clients.push(client);
    return client;
  };
  return {
    url,
    port,
    source,
    board,
    access,
    who,
    sockets,
    connect,
    /** Resolves when it is connected; rejects with why not. */
    async connected(options: Partial<ManagerOptions & SocketOptions> = {}): Promise<Socket> {
      const client = connect(options);
      await new Promise<void>((resolve, reject) => {
        client.once('hello', () => resolve());
        client.once('connect_error', reject);
        client.once('disconnect', (reason) => reject(new Error(reason)));
      });
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await sockets.close();
      board.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
