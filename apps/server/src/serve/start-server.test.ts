import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { silent } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { readServerFile } from './server-file.ts';
import { type RunningServer, startServer } from './start-server.ts';

const folder = testFolder();
const running: RunningServer[] = [];

const options = {
  dataDir: folder.path,
  databaseUrl: undefined,
  host: '127.0.0.1',
  port: undefined,
  publicUrl: undefined,
  paused: false,
  owner: undefined,
};

async function start(more: object = {}): Promise<RunningServer> {
  const server = await startServer({ ...options, ...more }, silent);
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

describe('a server', () => {
  test('has a handler for every route of the table', async () => {
    expect((await start()).unbound).toEqual([]);
  });

  test('offers a link for the owner until there is one, and says where it is', async () => {
    const first = await start();
    expect(first.ownerLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{43}$/);
    expect(readServerFile(folder.path)?.address).toBe(first.address);
    const secret = first.ownerLink!.split('#')[1];
    const body = JSON.stringify({ secret, email: 'me@example.org', password: 'long enough it is' });
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${first.address}/api/v1/setup`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const cookie = made.headers.get('set-cookie')!.split(';')[0]!;
    await first.stop();
    expect(readServerFile(folder.path)).toBeUndefined();
    const second = await start();
    expect(second.ownerLink).toBeUndefined();
    // A session outlives the server: all of it is in the database.
    const me = await fetch(`${second.address}/api/v1/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ account: { email: 'me@example.org' }, role: 'owner' });
  });

  test('refuses a data folder another one uses, and leaves that one running', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(`in use by pid ${process.pid}`);
    expect((await fetch(`${first.address}/healthz`)).status).toBe(200);
  });

  test('gives the database back when its port is taken', async () => {
    const other = testFolder();
    const first = await start();
    await expect(start({ dataDir: other.path, port: first.port })).rejects.toThrow(
      'is taken by another program',
    );
    expect(() => readFileSync(join(other.path, 'postgres/postmaster.pid'))).toThrow('ENOENT');
    await other.remove();
  });

  test('serves the page and its parts under the strict policy', async () => {
    const { address } = await start();
    const html = await (await fetch(`${address}/w/w_default/p/p_none`)).text();
    const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1];
    expect(html).not.toMatch(/<script>|style="|onclick=/);
    expect((await fetch(`${address}${script}`)).headers.get('content-type')).toContain('text/javascript');
  });
});
