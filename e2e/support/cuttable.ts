/** A way to a server that can be cut, as a cable can: open connections end, new ones are refused. */
import { connect, createServer, type Socket } from 'node:net';

export interface Cuttable {
  readonly url: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

export async function cuttable(url: string): Promise<Cuttable> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((from) => {
    if (isCut) return from.destroy();
    const to = connect(Number(port), hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
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
