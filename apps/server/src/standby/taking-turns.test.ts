/** Two servers of one process on a real Postgres: who leads, who is fenced, what people are told and keep. */
import { join } from 'node:path';
import { SOCKET_PROTOCOL } from '@millrace/protocol/api';
import { openStore, type Store } from '@millrace/store';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../serve/start-server.ts';
import { openPage } from '../testing/document-page.ts';
import { silent } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';

const folder = testFolder();
const PASSWORD = 'long enough it is';

describe('servers on one database', () => {
  let owner: Store;
  let databaseUrl: string;
  let cookie: string;
  const running: RunningServer[] = [];

  beforeAll(async () => {
    owner = await openStore({ dataDir: join(folder.path, 'cluster') }, () => undefined);
    const [row] = await owner.query('show unix_socket_directories');
    await owner.query('create database shared');
    databaseUrl = `postgres://millrace@/shared?host=${String(row?.unix_socket_directories).replaceAll('"', '')}`;
  });

  afterAll(async () => {
    await Promise.all(running.map((server) => server.stop()));
    await owner.close();
    await folder.remove();
  });

  async function start(): Promise<RunningServer> {
    const options = {
      ...{ dataDir: folder.path, databaseUrl, host: '127.0.0.1', port: undefined },
      ...{ publicUrl: undefined, paused: false, owner: { email: 'me@example.org', password: PASSWORD } },
    };
    const server = await startServer(options, silent);
    running.push(server);
    return server;
  }

  async function call(of: RunningServer, method: string, path: string, body?: unknown) {
    const headers = { cookie, origin: of.address, 'content-type': 'application/json' };
    const response = await fetch(`${of.address}${path}`, {
      ...{ method, headers, redirect: 'manual' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const socket = (of: RunningServer): Socket =>
    io(of.address, {
      ...{ path: '/socket', transports: ['websocket'], forceNew: true, reconnection: false },
      ...{ auth: { protocol: SOCKET_PROTOCOL }, extraHeaders: { cookie, origin: of.address } },
    });

  const health = async (of: RunningServer) => (await call(of, 'GET', '/healthz')).body;

  /** As another server would that does not serve: the term is over, and what belongs to it ends. */
  async function depose(): Promise<void> {
    const client = await openStore({ url: databaseUrl }, () => undefined);
    await client.query('update millrace.server_lease set sequencer = sequencer + 1, holder = null');
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name ~ '^millrace/'",
    );
    await client.close();
  }

  test('one leads, the other stands by and takes over; edits that were acknowledged stay, others are told', async () => {
    const one = await start();
    const two = await start();
    expect([one.standsBy, two.standsBy]).toEqual([undefined, { for: one.address }]);
    const login = await fetch(`${one.address}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'me@example.org', password: PASSWORD }),
    });
    cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const made = await call(one, 'POST', '/api/v1/pipelines', { name: 'Drawn' });
    const { id } = made.body as { id: string };
    const line = socket(one);
    const page = await openPage(line, id);
    const add = (name: string) => ({ kind: 'add-node', type: 'sink/discard', name, at: [0, 0] }) as const;
    expect(await page.send(add('kept'))).toMatchObject({ ok: true });
    const gone = new Promise((resolve) => line.once('disconnect', resolve));

    await depose();
    const late = await page.send(add('late')).catch(() => ({ ok: false }));
    await gone;
    const led = () => Promise.all([one, two].map(async (of) => (await health(of)).role));
    await expect.poll(async () => (await led()).sort()).toEqual(['leads', 'stands-by']);
    const [leader, other] = (await led())[0] === 'leads' ? [one, two] : [two, one];
    const after = await openPage(socket(leader), id);
    const names = [...after.document.read().pipeline.nodes.values()].map(({ name }) => name);
    expect(names.sort()).toEqual(late.ok ? ['kept', 'late'] : ['kept']);
    expect(await after.send(add('of the next'))).toMatchObject({ ok: true });
    const refused = await call(other, 'GET', '/api/v1/me');
    expect([refused.status, refused.body.code, refused.body.leader]).toEqual([
      503,
      'standing-by',
      leader.address,
    ]);
    const upgrade = socket(other);
    await new Promise((resolve) => upgrade.once('connect_error', resolve));

    await leader.stop();
    await expect.poll(() => health(other)).toEqual({ status: 'ok', role: 'leads' });
    const last = await openPage(socket(other), id);
    const kept = [...last.document.read().pipeline.nodes.values()].map(({ name }) => name);
    expect(kept.sort()).toEqual([...names, 'of the next'].sort());
  });
});
