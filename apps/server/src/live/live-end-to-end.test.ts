/** What people see of real pipelines: a real engine host, real workers, sockets and filters. */

import { filterLauncher } from '@millrace/deployment';
import { viewOfKey } from '@millrace/engine';
import { decodeView, type ViewNode, type ViewTable } from '@millrace/protocol/api';
import { openStore, type Store } from '@millrace/store';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { type CountingPipeline, deployVersion } from '../testing/counting-pipeline.ts';
import { accountActor } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { startTestSockets } from '../testing/test-sockets.ts';

const folder = testFolder();
const filters = filterLauncher();
let store: Store;
let host: Supervisor;
let rig: Awaited<ReturnType<typeof startTestSockets>>;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
  host = superviseEngineHost({
    address: () => store.address(),
    dataDir: folder.path,
    holdPaused: false,
    log: () => undefined,
  });
  host.start();
  rig = await startTestSockets({ filters, source: host });
  rig.who.actor = accountActor('editor');
});
afterAll(async () => {
  await rig.close();
  await filters.close();
  await host.stop(5_000);
  await store.close();
  await folder.remove();
});

async function deploy(pipeline: CountingPipeline): Promise<void> {
  await deployVersion(store, pipeline);
  host.nudge(pipeline.id);
}

const ask = (socket: Socket, event: string, payload: unknown): Promise<Record<string, unknown>> =>
  socket.timeout(20_000).emitWithAck(event, payload);

/** The newest numbers as a page would hold them. */
function watching(socket: Socket) {
  const seen: { table?: ViewTable; nodes: readonly ViewNode[]; frames: number } = { nodes: [], frames: 0 };
  socket.on('view.frame', (frame: { table?: ViewTable; body?: ArrayBuffer }, taken: () => void) => {
    seen.frames++;
    if (frame.table !== undefined) seen.table = frame.table;
    if (frame.body !== undefined && seen.table !== undefined)
      seen.nodes = decodeView(seen.table, new Uint8Array(frame.body))?.nodes ?? [];
    taken();
  });
  return seen;
}

type Shown = {
  records: { text: string; earlier: boolean; stream: string }[];
  filtered: number;
  seen: number;
};

function tapping(socket: Socket) {
  const shown: Shown[] = [];
  socket.on('tap.records', (message: Shown, taken: () => void) => {
    shown.push(message);
    taken();
  });
  return { shown, records: () => shown.flatMap(({ records }) => records) };
}

describe('a pipeline that runs', () => {
  it('shows its numbers and its records, and goes on showing them when the engine host was killed', async () => {
    await deploy({ id: 'p_live', rate: 200 });
    const socket = await rig.connected();
    const view = watching(socket);
    const { shown, records } = tapping(socket);
    expect(await ask(socket, 'view.open', { pipeline: 'p_live' })).toEqual({ ok: true });
    const outOf = (name: string) =>
      view.nodes[view.table?.nodes.findIndex((n) => n.name === name) ?? -1]?.out ?? 0;
    await expect.poll(() => outOf('numbers')).toBeGreaterThan(100);
    expect(view.table?.nodes.map(({ kind }) => kind)).toEqual(['injector', 'computation', 'sink']);

    const open = { pipeline: 'p_live', streams: ['s_1', 's_2'], recordsPerSecond: 20 };
    expect(await ask(socket, 'tap.open', open)).toMatchObject({ ok: true });
    await expect.poll(() => records().some(({ earlier }) => earlier)).toBe(true);
    await expect.poll(() => records().filter(({ earlier }) => !earlier).length).toBeGreaterThan(5);
    expect(records().every(({ text }) => /^\{"n":\d+/.test(text))).toBe(true);
    expect(shown.reduce((sum, { seen }) => sum + seen, 0)).toBeGreaterThan(0);

    process.kill(host.pid as number, 'SIGKILL');
    const before = [outOf('numbers'), records().length] as const;
    await expect.poll(() => outOf('numbers')).toBeGreaterThan(before[0] + 50);
    await ask(socket, 'tap.open', open);
    await expect.poll(() => records().length).toBeGreaterThan(before[1] + 20);
    socket.close();
  });

  it('shows the records a filter keeps, and ends a filter that takes too long', async () => {
    await deploy({ id: 'p_filter', rate: 500 });
    await expect.poll(async () => (await store.deployments.get('p_filter'))?.observed).toBe('running');
    const socket = await rig.connected();
    const { shown, records } = tapping(socket);
    const ended: { code: string; detail: string }[] = [];
    socket.on('tap.ended', (message) => ended.push(message));
    const open = { pipeline: 'p_filter', streams: ['s_1'], recordsPerSecond: 100 };
    expect(await ask(socket, 'tap.open', { ...open, filter: 'value.n % 10 === 3' })).toMatchObject({
      ok: true,
    });
    await expect.poll(() => records().length).toBeGreaterThan(10);
    expect(records().every(({ text }) => /^\{"n":\d*3\}$/.test(text))).toBe(true);
    expect(shown.reduce((sum, { filtered }) => sum + filtered, 0)).toBeGreaterThan(10);
    expect(await ask(socket, 'tap.open', { ...open, filter: 'value.' })).toMatchObject({
      code: 'bad-filter',
    });
    expect(await ask(socket, 'tap.open', { ...open, filter: '(() => { for (;;); })()' })).toMatchObject({
      ok: true,
    });
    await expect.poll(() => ended).toMatchObject([{ code: 'filter-ended' }]);
    expect(ended[0]?.detail).toContain('no answer in 1 s');
    socket.close();
  });

  it('is browsed by key, running and stopped', async () => {
    await deploy({ id: 'p_state', rate: 'max', count: 100 });
    await expect.poll(async () => (await store.deployments.get('p_state'))?.observed).toBe('ended');
    const search = { pipeline: 'p_state', node: 'n_code', beginning: '', limit: 100 };
    const reply = await host.request('state-keys', search);
    expect(reply).toMatchObject({ kind: 'answer', body: { page: { keys: expect.any(Array) } } });
    const keys = reply.kind === 'answer' ? (reply.body.page?.keys ?? []) : [];
    expect(keys.map(({ key }) => key).sort()).toEqual(Array.from({ length: 10 }, (_, i) => String(i)));
    const one = await host.request('state-key', { pipeline: 'p_state', node: 'n_code', key: '3' });
    const found = one.kind === 'answer' ? one.body.found : undefined;
    expect(found && viewOfKey(found).state).toMatchObject({ text: '10', cut: false });
  });

  it('has no records to show while it does not run', async () => {
    const socket = await rig.connected();
    const open = { pipeline: 'p_state', streams: ['s_1'] };
    expect(await ask(socket, 'tap.open', open)).toMatchObject({ code: 'not-running' });
    expect(await ask(socket, 'tap.open', { ...open, pipeline: 'p_none' })).toMatchObject({
      code: 'not-running',
    });
  });
});
