/**
 * Two servers on one Postgres, under load: the one that leads is killed, the next one is frozen whole and thawed.
 * Every record counts once in state, in a table and in a file, and no edit that was acknowledged is lost.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMPTY_HISTORY } from '@millrace/document';
import type { Socket } from 'socket.io-client';
import { expect, it } from 'vitest';
import { openPage } from '../../apps/server/src/testing/document-page.ts';
import { tempFolder } from '../support/folders.ts';
import { code, step } from '../support/nodes.ts';
import { postUntilTaken } from '../support/posting.ts';
import { commandOf, engineHostOf, workersOf } from '../support/processes.ts';
import {
  Caller,
  deploymentOf,
  freePort,
  makeToken,
  publishAndDeploy,
  type Served,
  serve,
  setUp,
} from '../support/served.ts';
import { type SharedDatabase, sharedDatabase } from '../support/shared-database.ts';

const KEYS = 7;
const BATCH = 200;
/** From the end of the one that led to the first new row in the table; a busy machine is given more. */
const WITHIN_MS = loadavg()[0]! > 3 ? 40_000 : 10_000;

const TALLYING = step(
  `const seen = ((ctx.state.get() ?? 0) as number) + 1;
    ctx.state.set(seen);
    ctx.produce('out', { n: (value as { n: number }).n, seen });`,
).replace('out: unknown', 'out: { n: number; seen: number }');

const number = (field: string) => ({ from: `value.${field}`, type: 'bigint' });
const columns = { k: { from: 'key' }, n: number('n'), seen: number('seen') };

const pipeline = {
  format: 1,
  name: 'Tallied by two',
  nodes: {
    n_in: { type: 'injector/http', name: 'orders', config: { type: '{ n: number }' } },
    n_tally: code('tally', 'step'),
    n_rows: { type: 'sink/postgres', name: 'rows', config: { table: 'tallied', columns } },
    n_file: { type: 'sink/file', name: 'lines', config: { path: 'tallied.jsonl' } },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_tally', 'in'], keyBy: `'k' + (value.n % ${KEYS})` },
    s_rows: { from: ['n_tally', 'out'], to: ['n_rows', 'in'] },
    s_file: { from: ['n_tally', 'out'], to: ['n_file', 'in'] },
  },
};

/** Posts without a pause, to whichever of the servers takes it, each batch until it is in. */
function posting(urls: () => readonly string[], path: string, token: string) {
  let sent = 0;
  let tries = 0;
  let isOver = false;
  const door = {
    token,
    get url() {
      const all = urls();
      return `${all[tries++ % all.length]}${path}`;
    },
  };
  const client = async () => {
    while (!isOver) {
      const from = sent;
      sent += BATCH;
      const lines = Array.from({ length: BATCH }, (_, i) => `${JSON.stringify({ n: from + i })}\n`);
      const taken = await postUntilTaken(
        door,
        { key: `from-${from}`, text: lines.join('') },
        undefined,
        2_000,
      );
      expect(taken).toEqual({ accepted: BATCH, rejected: [] });
      await sleep(20);
    }
  };
  const clients = Promise.all([client(), client()]);
  clients.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await clients;
      return sent;
    },
  };
}

/** One who edits without a pause, wherever somebody leads; what was acknowledged must be there ever after. */
function editing(urls: () => readonly string[], cookie: string, id: string) {
  const acknowledged: string[] = [];
  let revision = 0;
  let isOver = false;
  let tries = 0;
  let connections = 0;
  /** False: nobody leads there. */
  const at = async (socket: Socket): Promise<boolean> => {
    // One that stands by refuses at once.
    const refused = new Promise<undefined>((resolve) =>
      socket.once('connect_error', () => resolve(undefined)),
    );
    const page = await Promise.race([openPage(socket, id).catch(() => undefined), refused]);
    if (page === undefined) return false;
    connections++;
    const names = [...page.document.read().pipeline.nodes.values()].map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    // One whose answer was lost may have been kept.
    expect(page.opened.history.revision).toBeGreaterThanOrEqual(revision);
    revision = page.opened.history.revision;
    while (!isOver) {
      const name = `edit ${acknowledged.length}`;
      const edited = await page
        .send({ kind: 'add-node', type: 'sink/discard', name, at: [0, 0] })
        .catch(() => undefined);
      if (edited?.ok !== true) return true;
      acknowledged.push(name);
      const step = { pipeline: id, base: revision, history: JSON.stringify(EMPTY_HISTORY) };
      const kept = await page.ask('doc.history', step).catch(() => undefined);
      if (kept?.ok !== true) return true;
      revision++;
      await sleep(50);
    }
    return true;
  };
  const once = async (): Promise<boolean> => {
    const all = urls();
    const url = all[tries++ % all.length] as string;
    const socket = new Caller(url, { cookie }).socket({ reconnection: false });
    return at(socket).finally(() => socket.close());
  };
  const done = (async () => {
    while (!isOver) {
      await once();
      await sleep(100);
    }
  })();
  done.catch(() => undefined);
  return {
    acknowledged,
    connections: () => connections,
    /** And opens the draft once more, wherever it is now. */
    async stop() {
      isOver = true;
      await done;
      await expect.poll(once).toBe(true);
    },
  };
}

const rowsNow = async ({ query }: SharedDatabase) =>
  Number((await query('select count(*) as n from data.tallied'))[0]?.n);

/** How long after `began` the table has rows that it did not have when this is called. */
async function untilNewRows(database: SharedDatabase, began = performance.now()): Promise<number> {
  const before = await rowsNow(database);
  await expect.poll(() => rowsNow(database), { interval: 20, timeout: 120_000 }).toBeGreaterThan(before);
  return Math.round(performance.now() - began);
}

const all = (server: Served): number[] => {
  const host = engineHostOf(server.pid);
  return host === undefined ? [server.pid] : [server.pid, host, ...workersOf(host)];
};

const signal = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, name);
};

it('Y5: a server that stands by takes over from one that is killed and from one that is frozen, which is fenced', async () => {
  const folder = tempFolder('standby');
  const database = await sharedDatabase(folder);
  const data = join(folder, 'data');
  const start = async (port: number) =>
    serve(data, { args: ['--port', String(port)], env: { DATABASE_URL: database.url } });
  const ports = [await freePort(), await freePort()];
  const one = await start(ports[0]!);
  const two = await start(ports[1]!);
  expect([one.standsBy, two.standsBy]).toEqual([false, true]);
  const urls = () => [one.url, two.url];

  const owner = await setUp(one);
  const files = { 'pipeline.json': JSON.stringify(pipeline), 'nodes/step.ts': TALLYING };
  const { id } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { name: 'Tallied', files });
  await publishAndDeploy(owner, id);
  await expect.poll(async () => (await deploymentOf(owner, id)).observed.state).toBe('running');
  const { token } = await makeToken(owner, ['ingest'], { pipeline: id });
  const { cookie = '' } = owner.headers;
  const posts = posting(urls, `/in/${id}/orders`, token);
  const edits = editing(urls, cookie, id);

  // Who stands by shows nothing that could be old: people are led on, programs are told.
  const led = await fetch(`${two.url}/w/x?y=1`, { redirect: 'manual', headers: { accept: 'text/html' } });
  expect([led.status, led.headers.get('location')]).toEqual([307, `${one.url}/w/x?y=1`]);
  const standing = { role: 'stands-by', code: 'standing-by' };
  const health = async (of: Served) => (await new Caller(of.url).call('GET', '/healthz')).body;
  expect(await health(two)).toMatchObject({ ...standing, leader: one.url });
  for (const { url } of [one, two])
    expect((await new Caller(url).call('GET', '/healthz?standby=ok')).status).toBe(200);
  await untilNewRows(database);

  const first = all(one);
  const killedAt = performance.now();
  one.kill('SIGKILL');
  // What was on its way to the database when it died still arrives.
  await one.ended;
  await expect.poll(() => first.filter((pid) => commandOf(pid) !== '')).toEqual([]);
  const afterKill = await untilNewRows(database, killedAt);
  expect(await health(two)).toEqual({ status: 'ok', role: 'leads' });
  const again = await start(ports[0]!);
  expect([again.url, again.standsBy]).toEqual([one.url, true]);

  const frozen = all(two);
  expect(frozen.length).toBeGreaterThan(2);
  const frozenAt = performance.now();
  signal(frozen, 'SIGSTOP');
  await sleep(500);
  const afterFreeze = await untilNewRows(database, frozenAt);
  signal([two.pid], 'SIGCONT');
  await expect.poll(() => health(two)).toMatchObject({ ...standing, leader: again.url });
  await expect.poll(() => frozen.filter((pid) => commandOf(pid) !== '')).toEqual([two.pid]);
  expect(readFileSync(join(data, 'server.log'), 'utf8')).toContain(
    'another server has taken over; this one stands by',
  );
  const now = new Caller(again.url, { cookie });
  const { servers, remembered } = await now.done<{ servers: object[]; remembered: object[] }>(
    'GET',
    `/api/v1/pipelines/${id}/runtime`,
  );
  expect(remembered).toMatchObject([{ node: 'n_in', complete: true }]);
  expect(servers).toMatchObject([
    { address: again.url, leads: true },
    { address: two.url, leads: false },
  ]);
  await untilNewRows(database);

  const sent = await posts.stop();
  await edits.stop();
  await expect.poll(() => rowsNow(database)).toBeGreaterThanOrEqual(sent);
  expectExact(await database.query('select k, n, seen from data.tallied'), sent);
  const lines = () =>
    readFileSync(join(data, 'files/w_default/tallied.jsonl'), 'utf8').split('\n').slice(0, -1);
  await expect.poll(() => lines().length).toBeGreaterThanOrEqual(sent);
  expectExact(
    lines().map((line) => {
      const { key, value } = JSON.parse(line) as { key: string; value: object };
      return { k: key, ...value };
    }),
    sent,
  );
  for (let key = 0; key < KEYS; key++) {
    const body = { key: `k${key}` };
    const read = await now.done<{ state: { text: string } }>(
      'POST',
      `/api/v1/pipelines/${id}/state/n_tally/read`,
      body,
    );
    expect(Number(read.state.text)).toBe(Math.ceil((sent - key) / KEYS));
  }
  expect(edits.acknowledged.length).toBeGreaterThan(5);
  expect(edits.connections()).toBeGreaterThan(1);
  console.log(
    `first new row ${afterKill} ms after the kill, ${afterFreeze} ms after the freeze; ${sent} records, ${edits.acknowledged.length} edits in ${edits.connections()} connections`,
  );
  expect(Math.max(afterKill, afterFreeze)).toBeLessThan(WITHIN_MS);
  for (const server of [two, again]) server.kill('SIGTERM');
  expect([(await two.ended).code, (await again.ended).code]).toEqual([0, 0]);
}, 240_000);

type Row = Readonly<Record<string, unknown>>;

/** Every number once; of each key the counts 1, 2, 3, … without a gap. */
function expectExact(rows: readonly Row[], sent: number): void {
  const counts = new Map<unknown, number[]>();
  for (const { k, seen } of rows) counts.set(k, [...(counts.get(k) ?? []), Number(seen)]);
  const numbers = rows.map(({ n }) => Number(n)).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: sent }, (_, n) => n));
  for (const [key, seen] of counts)
    expect(
      seen.sort((a, b) => a - b),
      String(key),
    ).toEqual(seen.map((_, index) => index + 1));
}
