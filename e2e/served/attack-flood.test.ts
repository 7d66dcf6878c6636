/** Too much of everything: log-ins, sockets, requests that never end, clients that never read. The product stays up. */
import { connect, type Socket as TcpSocket } from 'node:net';
import type { Socket } from 'socket.io-client';
import { afterEach, describe, expect, it } from 'vitest';
import { inParallel } from '../support/posting.ts';
import { residentBytes } from '../support/processes.ts';
import { ask, type Caller, deploymentOf, logIn, PASSWORD, publishAndDeploy } from '../support/served.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tap, watch } from '../support/watching.ts';

const shared = sharedServer();
const RUNNING = 'p_thismachine';
const sockets: Socket[] = [];
const lines: TcpSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
  for (const line of lines.splice(0)) line.destroy();
});

async function connected(by: Caller): Promise<Socket> {
  const socket = by.socket({ reconnection: false });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('hello', () => resolve());
    socket.once('connect_error', reject);
    socket.once('disconnect', (reason) => reject(new Error(reason)));
  });
  return socket;
}

/** Ends the test where the product does not answer others meanwhile. */
async function stillServes(): Promise<void> {
  expect((await shared.nobody.call('GET', '/healthz')).status).toBe(200);
  expect((await shared.owner.call('GET', '/api/v1/me')).status).toBe(200);
}

describe('1,000 log-ins', () => {
  it('are stopped after a few, for guesses and for the right password alike, and nobody else waits', async () => {
    const tries = Array.from({ length: 1_000 }, (_, i) => i);
    const statuses = new Map<number, number>();
    let within = 0;
    const attack = inParallel(tries, 40, async (i) => {
      // Half of them on one account, half on as many as there are.
      const email = i % 2 === 0 ? 'owner@example.org' : `somebody${i}@example.org`;
      const body = { email, password: `${PASSWORD} ${i}` };
      const { status, headers } = await shared.nobody.call('POST', '/api/v1/login', body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    });
    const meanwhile = (async () => {
      while ([...statuses.values()].reduce((sum, count) => sum + count, 0) < 1_000) {
        await stillServes();
        within++;
      }
    })();
    await Promise.all([attack, meanwhile]);
    expect([...statuses.keys()].sort()).toEqual([401, 429]);
    // A burst of 30 per address, and one more every six seconds.
    expect(statuses.get(401)).toBeLessThan(90);
    expect(within).toBeGreaterThan(0);
    await expect(logIn(shared.url, 'owner@example.org')).rejects.toThrow('429');
    await stillServes();
  });
});

describe('sockets', () => {
  it('of one account are limited, and those of others are not', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 40 }, () => connected(shared.viewer)));
    const open = sockets.filter(({ connected: isOpen }) => isOpen).length;
    expect(opened.some(({ status }) => status === 'rejected')).toBe(true);
    expect(open).toBeLessThanOrEqual(24);
    await connected(shared.owner);
  });

  it('that send events without end are closed', async () => {
    const socket = await connected(shared.viewer);
    const gone = new Promise((resolve) => void socket.once('disconnect', resolve));
    for (let i = 0; i < 5_000; i++) socket.emit('view.close', { pipeline: RUNNING });
    await gone;
    await stillServes();
  });

  it('that never read, or never acknowledge, cost no memory, and others see on', async () => {
    await busyPipeline();
    const watched = watch(shared.editor, 'p_busy');
    const tapped = tap(shared.editor, 'p_busy', ['s_1']);
    await expect.poll(() => watched.frames, { timeout: 60_000 }).toBeGreaterThan(20);
    const deaf = await Promise.all(Array.from({ length: 12 }, (_, i) => deafSocket(i % 2 === 0)));
    await expect.poll(() => tapped.records, { timeout: 60_000 }).toBeGreaterThan(0);
    const { pid } = shared.server;
    // The first frames to all of them, and whatever the runtime takes to grow warm.
    const warm = watched.frames + 20;
    await expect.poll(() => watched.frames, { timeout: 60_000 }).toBeGreaterThan(warm);
    const before = residentBytes(pid);
    const [frames, records, seen] = [watched.frames, tapped.records, tapped.seen];
    await expect.poll(() => watched.frames, { timeout: 120_000 }).toBeGreaterThan(frames + 150);
    expect(before).toBeGreaterThan(1 << 20);
    expect(tapped.records).toBeGreaterThan(records);
    expect(tapped.seen - seen).toBeGreaterThan(5_000);
    // Garbage comes and goes; what is kept for the deaf would be 10 MB a second that never go.
    const grown = () => (residentBytes(pid) - before) / (1 << 20);
    await expect.poll(grown, { timeout: 90_000, interval: 200 }).toBeLessThan(60);
    for (const { heard } of deaf) expect(heard()).toBeLessThanOrEqual(3);
    watched.close();
    tapped.close();
    await shared.editor.done('POST', '/api/v1/pipelines/p_busy/deployment/kill');
  }, 240_000);
});

/** Records as fast as they come, large ones. */
async function busyPipeline(): Promise<void> {
  const value = "{ n, text: 'x'.repeat(4000) }";
  const pipeline = {
    format: 1,
    id: 'p_busy',
    name: 'busy',
    nodes: {
      n_in: { type: 'injector/generator', name: 'in', config: { value, rate: 1_000 } },
      n_out: { type: 'sink/discard', name: 'out', config: {} },
    },
    streams: { s_1: { from: ['n_in', 'out'], to: ['n_out', 'in'] } },
  };
  await shared.editor.done('POST', '/api/v1/pipelines', {
    files: { 'pipeline.json': JSON.stringify(pipeline) },
  });
  await publishAndDeploy(shared.editor, 'p_busy');
  await expect
    .poll(async () => (await deploymentOf(shared.editor, 'p_busy')).observed, { timeout: 60_000 })
    .toMatchObject({ state: 'running' });
}

/** Opens all it may and then reads nothing, or reads and acknowledges nothing. */
async function deafSocket(readsNothing: boolean) {
  const socket = await connected(shared.editor);
  let heard = 0;
  socket.onAny(() => heard++);
  const open = { pipeline: 'p_busy', streams: ['s_1'], recordsPerSecond: 200 };
  expect(await ask(socket, 'view.open', { pipeline: 'p_busy' })).toEqual({ ok: true });
  expect(await ask(socket, 'tap.open', open)).toMatchObject({ ok: true });
  const { transport } = socket.io.engine as unknown as { transport: { ws: { _socket: TcpSocket } } };
  if (readsNothing) transport.ws._socket.pause();
  return { heard: () => heard };
}

describe('requests that never end', () => {
  it('keep nobody else from being served', async () => {
    const { port } = new URL(shared.url);
    const begin = (text: string) => {
      const line = connect(Number(port), '127.0.0.1');
      line.on('error', () => undefined);
      line.write(text);
      lines.push(line);
    };
    const head = `Host: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const cookie = `Cookie: ${shared.owner.headers.cookie}\r\nOrigin: ${shared.url}\r\n`;
    for (let i = 0; i < 200; i++) {
      begin('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
      begin(`POST /api/v1/login HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{"email":`);
      begin(`POST /api/v1/pipelines/import HTTP/1.1\r\n${head}${cookie}Content-Length: 1000000\r\n\r\nPK`);
      begin(`GET /socket/?EIO=4&transport=websocket HTTP/1.1\r\n${head}Upgrade: websocket\r\n`);
    }
    for (let i = 0; i < 20; i++) await stillServes();
    const list = await shared.owner.call('GET', '/api/v1/pipelines');
    expect(list.status).toBe(200);
  });
});
