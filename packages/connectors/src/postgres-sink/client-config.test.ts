import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { memorySinkContext } from '../../test/contexts.ts';
import { clientConfig } from './client-config.ts';
import { postgresSink } from './sink.ts';

const closed = { folders: [], own: undefined, hosts: [] };

/** Speaks just enough of Postgres to ask for a password in the clear. */
const sent: Buffer[] = [];
const greedy = net.createServer((socket) => {
  socket.once('data', () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])));
  socket.on('data', (bytes) => {
    sent.push(bytes);
    if (bytes[0] === 0x70) socket.destroy();
  });
  socket.on('error', () => {});
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => greedy.listen(0, '127.0.0.1', resolve));
  port = (greedy.address() as AddressInfo).port;
});
afterAll(() => greedy.close());
afterEach(() => vi.unstubAllEnvs());

const opening = (url: string, hosts: readonly string[] = []) =>
  postgresSink.open(
    { table: 't', url: { secret: 'db' } },
    { ...memorySinkContext('/'), secret: async () => url, walls: { ...closed, hosts } },
  );

describe('sink/postgres behind the walls of a server', () => {
  it.each([
    ...['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '127.1', '0', '[::1]', '[::ffff:127.0.0.1]'],
    ...['LOCALHOST.', 'db.localhost', '[::]'],
  ])('does not reach a database at %s', async (host) => {
    await expect(opening(`postgres://me:pw@${host}:${port}/x`)).rejects.toThrow(
      /may not reach.* An admin can allow the host/,
    );
    expect(sent).toEqual([]);
  });

  it.each([
    ['postgres://millrace@localhost/postgres?host=/tmp', 'it has the setting "host"'],
    ['postgres://millrace@%2Ftmp/postgres', 'it names no host'],
    ['postgres:///postgres?user=millrace', 'it names no host'],
    ['socket:/tmp?db=postgres', 'does not begin with postgres://'],
    ['/tmp postgres', 'cannot be read as an address'],
    ['postgres://me@db.example/x?sslrootcert=/etc/passwd', 'it has the setting "sslrootcert"'],
    ['postgres://me@db.example/x?sslkey=/root/.ssh/id', 'it has the setting "sslkey"'],
    ['postgres://me@db.example/x?options=-c%20role%3Dx', 'it has the setting "options"'],
    ['postgres://me@db.example/x?ssl%6Dode=odd', 'its sslmode is none'],
    ['postgres://db.example/x', 'it names no user'],
  ])('does not take %s', async (url, reason) => {
    await expect(opening(url)).rejects.toThrow(reason);
  });

  it('sends a hostile server nothing of the environment of the process', async () => {
    vi.stubEnv('PGPASSWORD', 'canary-of-the-server');
    vi.stubEnv('PGUSER', 'canary-user');
    vi.stubEnv('PGDATABASE', 'canary-database');
    const asked = opening(`postgres://me@127.0.0.1:${port}/`, [`127.0.0.1:${port}`]);
    await expect(asked).rejects.toThrow();
    const all = Buffer.concat(sent).toString('latin1');
    expect(all).toContain('p\0\0\0');
    expect(all).not.toContain('canary');
  });

  it('control: without walls the environment counts, as for whoever runs it', () => {
    expect(clientConfig('postgres://localhost/x', undefined)).toEqual({
      connectionString: 'postgres://localhost/x',
    });
  });

  it('verifies certificates where it is asked to', () => {
    const ssl = (mode: string) => clientConfig(`postgres://me@db.example/x?sslmode=${mode}`, closed).ssl;
    expect(ssl('verify-full')).toEqual({ rejectUnauthorized: true });
    expect(ssl('require')).toEqual({ rejectUnauthorized: false });
    expect(ssl('disable')).toBe(false);
  });
});
