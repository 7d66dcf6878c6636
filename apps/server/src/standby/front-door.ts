/**
 * Keeps one address while what stands behind it changes: the server that leads, with its routes and sockets, or the
 * few answers of one that stands by. What is behind it are HTTP servers that never listen.
 */
import http from 'node:http';
import type { Duplex } from 'node:stream';

export interface FrontDoor {
  readonly server: http.Server;
  /** From the next request on; those on their way are finished where they began. */
  lead(to: http.Server): void;
  /** Resolves when nothing that was led to this one is unanswered, at the latest after so long. */
  emptied(of: http.Server, withinMs: number): Promise<void>;
}

export function frontDoor(): FrontDoor {
  let behind = http.createServer();
  const open = new Map<http.Server, Set<http.ServerResponse>>();
  const server = http.createServer();
  server.on('request', (request, response) => {
    const at = behind;
    const asked = open.get(at) ?? new Set();
    open.set(at, asked.add(response));
    response.once('close', () => {
      asked.delete(response);
      if (asked.size === 0 && open.get(at) === asked) open.delete(at);
    });
    if (!at.emit('request', request, response)) response.destroy();
  });
  server.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!behind.emit('upgrade', request, socket, head)) socket.destroy();
  });
  return {
    server,
    lead(to) {
      behind = to;
    },
    async emptied(of, withinMs) {
      const left = [...(open.get(of) ?? [])];
      const answered = Promise.all(
        left.map((response) => new Promise((done) => response.once('close', done))),
      );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([answered, late]);
      clearTimeout(timer);
      for (const response of open.get(of) ?? []) response.destroy();
    },
  };
}
