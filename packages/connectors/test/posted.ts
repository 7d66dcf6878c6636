/** A listener with one pipeline behind it, and a hand in place of the engine that takes what is posted. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type {
  OpenInjector,
  RememberedRequest,
  RequestAnswer,
  SourceChunk,
  SourcePartition,
} from '@millrace/engine';
import { onTestFinished } from 'vitest';
import type { IngestLimits } from '../src/http-injector/ingest-listener.ts';
import { connectors, openIngestListener } from '../src/index.ts';
import { connectorContext } from './contexts.ts';

export const TOKEN = 'the-token';

export type Taken = Extract<SourceChunk, { kind: 'request' }>;

export interface Rig {
  readonly port: number;
  readonly partition: SourcePartition;
  readonly taken: Taken[];
  readonly remembered: Map<string, RememberedRequest>;
  readonly messages: string[];
  /** Tells that everything taken so far is committed. */
  commit(answers?: readonly RequestAnswer[]): void;
  closeInjector(): Promise<void>;
}

export const accepted = (count: number): RequestAnswer => ({ accepted: count, rejected: [], unlisted: 0 });

/** `auto`: what is posted is committed at once, a record each. */
export async function postedRig(limits: Partial<IngestLimits> = {}, auto = true): Promise<Rig> {
  const messages: string[] = [];
  const listener = await openIngestListener({
    at: { host: '127.0.0.1', port: 0 },
    token: TOKEN,
    connectors,
    limits,
    log: (message) => messages.push(message),
  });
  const remembered = new Map<string, RememberedRequest>();
  const injector = (await listener
    .connectorsFor({ id: 'p_one', name: 'Orders / all' })
    .injector('injector/http')
    ?.open(
      {},
      {
        ...connectorContext('/'),
        nodeId: 'n_in',
        nodeName: 'orders in',
        requestMemory: () => ({ find: async (key) => remembered.get(key) }),
      },
    )) as OpenInjector;
  const partition = injector.partitions[0] as SourcePartition;
  const taken: Taken[] = [];
  const stop = new AbortController();
  let committed = 0;
  const rig: Rig = {
    port: listener.port as number,
    partition,
    taken,
    remembered,
    messages,
    commit(answers = taken.slice(committed).map(() => accepted(1))) {
      for (const [i, { id, remember }] of taken.slice(committed).entries()) {
        const answer = answers[i] ?? accepted(0);
        if (remember !== undefined)
          remembered.set(id, { ...remember, ...answer, done: true, through: answer.accepted });
      }
      committed = taken.length;
      partition.committed?.(committed, answers);
    },
    closeInjector: () => injector.close(),
  };
  const reading = (async () => {
    for await (const chunk of partition.read(0, stop.signal)) {
      if (chunk.kind !== 'request') continue;
      taken.push(chunk);
      if (auto) rig.commit();
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await injector.close();
    await reading;
    await listener.close();
  });
  return rig;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const PATH = '/in/p_one/n_in';
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

export function send(
  rig: Rig,
  { path = PATH, method = 'POST', headers = {}, body = '{}' }: Sent = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port: rig.port, host: '127.0.0.1', path, method, headers: { ...HEADERS, ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** A client that writes what it likes; `heard` is all it was told. */
export function rawClient(rig: Rig): {
  readonly socket: Socket;
  readonly heard: () => string;
  readonly ended: Promise<void>;
} {
  const socket = connect(rig.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  return { socket, heard: () => heard, ended };
}

export const head = (more: string) =>
  `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/x-ndjson\r\n${more}\r\n\r\n`;
