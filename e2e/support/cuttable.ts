/** A way to a server that can be cut, as a cable can: open connections end, new ones are refused. */
import { connect, createServer, type Socket } from 'node:net';

export interface Cuttable {
  readonly url: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

/** `to`: a URL, or the path of a Unix socket. */
export async function cuttable(to: string): Promise<Cuttable> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((from) => {
    if (isCut) return from.destroy();
    const onward = reach(to);
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reach(to: string): Socket {
  if (to.startsWith('/')) return connect(to);
  const { hostname, port } = new URL(to);
  return connect(Number(port), hostname);
}
