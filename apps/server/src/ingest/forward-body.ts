/**
 * Passes a request on to the engine host, unparsed and as it comes, and brings its answer back. Nothing of a body
 * is kept here: the host's pace is the client's.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface HostDoor {
  readonly port: number;
  /** What the host asks for: only its server may post to it. */
  readonly token: string;
}

export type Forwarded =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: unknown;
    }
  /** `begun`: some of the body was on its way. */
  | { readonly kind: 'away'; readonly begun: boolean }
  | { readonly kind: 'client-gone' };

const PASSED = ['content-type', 'content-encoding', 'content-length', 'idempotency-key'] as const;
const MOST_ANSWER_BYTES = 4 << 20;

const agent = new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64 });

export function forwardBody(client: IncomingMessage, door: HostDoor, path: string): Promise<Forwarded> {
  const headers: Record<string, string> = { authorization: `Bearer ${door.token}` };
  for (const name of PASSED) {
    const value = client.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return new Promise((resolve) => {
    const upstream = httpRequest({
      host: '127.0.0.1',
      port: door.port,
      method: 'POST',
      path,
      headers,
      agent,
    });
    let begun = false;
    const gone = () => {
      if (client.complete) return;
      upstream.destroy();
      resolve({ kind: 'client-gone' });
    };
    client.on('data', () => {
      begun = true;
    });
    client.once('aborted', gone);
    client.once('error', gone);
    upstream.once('error', () => resolve({ kind: 'away', begun }));
    upstream.once('response', (response) => {
      client.unpipe(upstream);
      void answerOf(response).then(
        (body) => {
          const { statusCode: status = 502, headers: given } = response;
          resolve({ kind: 'answered', status, headers: given, body });
          // The host has heard enough: it answers before the end only to refuse.
          if (!client.complete) upstream.destroy();
        },
        () => resolve({ kind: 'away', begun: true }),
      );
    });
    client.pipe(upstream);
  });
}

async function answerOf(response: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_ANSWER_BYTES) throw new Error('the answer of the engine host is too long');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}
