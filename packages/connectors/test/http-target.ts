/** An HTTP server that tests send to: it remembers what came and answers as it is told. */
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

export interface HttpTarget {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Requests under way, and the most there ever were. */
  readonly busy: { now: number; most: number };
  answer(with_: (request: Received, count: number) => Answer | 'hang' | 'reset' | Promise<Answer>): void;
  close(): Promise<void>;
}

export async function httpTarget(port = 0): Promise<HttpTarget> {
  const received: Received[] = [];
  const busy = { now: 0, most: 0 };
  let respond: Parameters<HttpTarget['answer']>[0] = () => ({ status: 204 });
  const server = http.createServer(async (request, response) => {
    busy.most = Math.max(busy.most, ++busy.now);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { method = '', url: path = '', headers } = request;
    const got = { method, path, headers, body: Buffer.concat(chunks).toString() };
    received.push(got);
    const answer = await respond(got, received.length);
    busy.now--;
    if (answer === 'hang') return;
    if (answer === 'reset') return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const at = (server.address() as AddressInfo).port;
  return {
    ...{ url: `http://127.0.0.1:${at}`, port: at, received, busy, close },
    answer: (with_) => {
      respond = with_;
    },
  };
}
