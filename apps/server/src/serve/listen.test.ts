import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from './listen.ts';

const HOST = '127.0.0.1';
const open: http.Server[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function server(): http.Server {
  const made = http.createServer();
  open.push(made);
  return made;
}

/** A port that somebody has. */
async function takenPort(): Promise<number> {
  const other = server();
  await new Promise<void>((resolve) => other.listen(0, HOST, resolve));
  return (other.address() as AddressInfo).port;
}

describe('taking a port', () => {
  test('says that the one asked for is taken, and takes no other', async () => {
    const port = await takenPort();
    await expect(listen(server(), HOST, port)).rejects.toThrow(`Port ${port} on ${HOST} is taken`);
  });

  test('without one asked for takes the next that is free and says so', async () => {
    const port = await takenPort();
    const listening = await listen(server(), HOST, undefined, port);
    expect(listening.insteadOf).toBe(port);
    expect(listening.port).toBeGreaterThan(port);
  });

  test('says that an address is none of this machine', async () => {
    await expect(listen(server(), '192.0.2.1', 1)).rejects.toThrow(/no address of this machine|may not open/);
  });
});
