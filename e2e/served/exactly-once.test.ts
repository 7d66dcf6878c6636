/**
 * The product as a whole, by HTTP and sockets alone: an owner, an editor, a pipeline from a zip, 100,000 posted
 * records with retries and duplicates, and kill -9 of engine host, server and Postgres under that load.
 */
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { serverPid, tempFolder } from '../support/folders.ts';
import { code, step } from '../support/nodes.ts';
import { type Batch, inParallel, postUntilTaken } from '../support/posting.ts';
import { engineHostOf, killWhenThere } from '../support/processes.ts';
import { randomFrom, SEED, shuffled } from '../support/random.ts';
import {
  type Caller,
  deploymentOf,
  freePort,
  join,
  makeToken,
  type Served,
  serve,
  setUp,
} from '../support/served.ts';
import { lookInto } from '../support/served-database.ts';
import { tap, watch } from '../support/watching.ts';

const RECORDS = 100_000;
const BATCH = 500;
const KEYS = 97;
const CLIENTS = 8;

interface Posted {
  readonly n: number;
  readonly v: number;
}
const posted: readonly Posted[] = Array.from({ length: RECORDS }, (_, n) => ({ n, v: (n * 7919) % 1000 }));
const keyOf = ({ n }: Posted): string => `k${n % KEYS}`;

const TALLYING = step(
  `const before = (ctx.state.get() ?? { seen: 0, sum: 0 }) as { seen: number; sum: number };
    const { n, v } = value as { n: number; v: number };
    const now = { seen: before.seen + 1, sum: before.sum + v };
    ctx.state.set(now);
    ctx.produce('out', { n, v, ...now });`,
).replace('out: unknown', 'out: { n: number; v: number; seen: number; sum: number }');

const pipeline = {
  format: 1,
  id: 'p_posted',
  name: 'Posted and tallied',
  nodes: {
    n_in: { type: 'injector/http', name: 'orders', config: { type: '{ n: number; v: number }' } },
    n_tally: code('tally', 'step'),
    n_rows: table('rows', { table: 'posted_rows' }, ['n', 'v', 'seen']),
    n_totals: table('totals', { table: 'posted_totals', mode: 'upsert', key: ['k'] }, ['seen', 'sum']),
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_tally', 'in'], keyBy: `'k' + (value.n % ${KEYS})` },
    s_rows: { from: ['n_tally', 'out'], to: ['n_rows', 'in'] },
    s_totals: { from: ['n_tally', 'out'], to: ['n_totals', 'in'] },
  },
};

function table(name: string, config: object, fields: readonly string[]) {
  const numbers = fields.map((field) => [field, { from: `value.${field}`, type: 'bigint' }]);
  const columns = { k: { from: 'key' }, ...Object.fromEntries(numbers) };
  return { type: 'sink/postgres', name, config: { ...config, columns } };
}

/** A dry run first, which changes nothing. */
async function importZip(editor: Caller): Promise<string> {
  const text = new TextEncoder();
  const zip = zipSync({
    'pipeline.json': text.encode(JSON.stringify(pipeline)),
    'nodes/step.ts': text.encode(TALLYING),
  });
  const send = (query: string) =>
    editor.done<{ applied: boolean; pipeline: string; issues: unknown[] }>(
      'POST',
      `/api/v1/pipelines/import${query}`,
      new Uint8Array(zip),
      { 'content-type': 'application/zip' },
    );
  expect(await send('')).toMatchObject({ applied: false, issues: [] });
  expect((await editor.call('GET', '/api/v1/pipelines/p_posted')).status).toBe(404);
  return (await send('?apply=true')).pipeline;
}

async function planAndDeploy(editor: Caller, id: string): Promise<void> {
  const { number } = await editor.done('POST', `/api/v1/pipelines/${id}/versions`, { message: 'first' });
  const deployment = `/api/v1/pipelines/${id}/deployment`;
  const plan = await editor.done<{ nodes: { kind: string }[]; trouble: string | null }>(
    'POST',
    `${deployment}/plan`,
    { version: number },
  );
  expect(plan.nodes.map(({ kind }) => kind)).toEqual(['new', 'new', 'new', 'new']);
  expect(plan.trouble).toBe(null);
  await editor.done('POST', deployment, { version: number });
  await expect
    .poll(async () => (await deploymentOf(editor, id)).observed)
    .toMatchObject({ state: 'running' });
}

interface Sending {
  readonly batch: Batch;
  /** Hangs up on the first attempt after so many ms. */
  readonly loseAfterMs: number | undefined;
}

/** Every batch, a third of them twice, every fifth with an answer that nobody hears; neighbours change places. */
function sendings(random: () => number): Sending[] {
  const batches = Array.from({ length: RECORDS / BATCH }, (_, i): Batch => {
    const lines = posted.slice(i * BATCH, (i + 1) * BATCH).map((record) => `${JSON.stringify(record)}\n`);
    return { key: `batch-${i}`, text: lines.join('') };
  });
  const all = batches.flatMap((batch) => (random() < 1 / 3 ? [batch, batch] : [batch]));
  return shuffled(all, 10, random).map((batch) => ({
    batch,
    loseAfterMs: random() < 0.2 ? Math.ceil(random() * 40) : undefined,
  }));
}

interface Kill {
  /** When so many sendings were answered. */
  readonly at: number;
  readonly kill: () => Promise<void>;
}

/** Three or more deaths, each at a moment of chance inside its own part of the load. */
function killPlan(total: number, random: () => number, kills: readonly Kill['kill'][]): Kill[] {
  const part = (total * 0.9) / kills.length;
  return kills.map((kill, i) => ({ at: Math.floor(i * part + part * (0.3 + 0.6 * random())), kill }));
}

type Row = Readonly<Record<string, unknown>>;

/** Of each key: every number once, the counts 1, 2, 3, … without a gap, and the last count and sum as its total. */
function expectExact(rows: readonly Row[], totals: readonly Row[]): void {
  const rowsOf = grouped(rows, ({ k }) => String(k));
  const postedOf = grouped(posted, keyOf);
  expect([...rowsOf.keys()].sort()).toEqual([...postedOf.keys()].sort());
  expect(totals).toHaveLength(KEYS);
  for (const [key, mine] of postedOf) {
    const found = rowsOf.get(key) ?? [];
    expect(ascending(found, 'n'), key).toEqual(
      ascending(
        mine.map(({ n }) => ({ n })),
        'n',
      ),
    );
    expect(ascending(found, 'seen'), key).toEqual(mine.map((_, index) => index + 1));
    const total = totals.find(({ k }) => k === key);
    const sum = mine.reduce((all, { v }) => all + v, 0);
    expect([Number(total?.seen), Number(total?.sum)], key).toEqual([mine.length, sum]);
  }
}

const ascending = (rows: readonly Row[], column: string): number[] =>
  rows.map((row) => Number(row[column])).sort((a, b) => a - b);

function grouped<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(by(item));
    if (group) group.push(item);
    else groups.set(by(item), [item]);
  }
  return groups;
}

describe('the served product', () => {
  it('takes 100,000 posted records in exactly once while engine host, server and Postgres are killed', async () => {
    const random = randomFrom(SEED);
    const data = tempFolder('served');
    const args = ['--port', String(await freePort())];
    const first = await serve(data, { args });
    const { url } = first;
    const owner = await setUp(first);
    const editor = await join(owner, 'editor', 'editor@example.org');
    const id = await importZip(editor);
    await planAndDeploy(editor, id);
    const { token } = await makeToken(editor, ['ingest'], { pipeline: id });
    const door = { url: `${url}/in/${id}/orders`, token };
    const [watched, tapped] = [watch(editor, id), tap(editor, id, ['s_in', 's_rows'])];

    let server: Served = first;
    const engineHost = async () => {
      await killWhenThere(() => engineHostOf(server.pid));
    };
    const wholeServer = async () => {
      server.kill('SIGKILL');
      await server.ended;
      server = await serve(data, { args });
      expect(server.url).toBe(url);
    };
    const postgres = async () => {
      await killWhenThere(() => serverPid(data));
    };
    const all = sendings(random);
    const kills = killPlan(all.length, random, [engineHost, wholeServer, postgres, engineHost]);
    let answered = 0;
    let killing = Promise.resolve();
    await inParallel(all, CLIENTS, async ({ batch, loseAfterMs }) => {
      expect(await postUntilTaken(door, batch, loseAfterMs)).toEqual({ accepted: BATCH, rejected: [] });
      answered++;
      while (kills[0] && kills[0].at <= answered) {
        const { kill } = kills.shift() as Kill;
        killing = killing.then(kill);
        killing.catch(() => undefined);
      }
    }).catch((error: unknown) => {
      throw new Error(`MILLRACE_SEED=${SEED}, after ${answered} of ${all.length}: ${String(error)}`);
    });
    await killing;
    expect(kills).toEqual([]);

    const count = async (name: string) =>
      Number((await lookInto(data, `select count(*) as n from data.${name}`))[0]?.n);
    await expect.poll(() => count('posted_rows'), { timeout: 60_000 }).toBeGreaterThanOrEqual(RECORDS);
    // The summary balances (P9), over HTTP and in what the page shows after all its reconnects.
    const tally = { in: RECORDS, out: RECORDS, deadLettered: 0, droppedLate: 0, setAside: 0, waiting: 0 };
    const live = `/api/v1/pipelines/${id}/live`;
    type Live = { progress: { nodes: object[]; streams: { produced: number; delivered: number }[] } | null };
    const numbers = async () => (await editor.call<Live>('GET', live)).body.progress;
    await expect
      .poll(async () => (await numbers())?.nodes.slice().sort(byNode), { timeout: 60_000 })
      .toMatchObject([
        { node: 'n_in', out: RECORDS, deadLettered: 0 },
        { node: 'n_rows', in: RECORDS, backlog: 0 },
        { node: 'n_tally', ...tally, backlog: 0 },
        { node: 'n_totals', in: RECORDS, backlog: 0 },
      ]);
    for (const { produced, delivered } of (await numbers())?.streams ?? [])
      expect([produced, delivered]).toEqual([RECORDS, RECORDS]);
    expectExact(
      await lookInto(data, 'select k, n, seen from data.posted_rows'),
      await lookInto(data, 'select k, seen, sum from data.posted_totals'),
    );

    await expect
      .poll(() => watched.view?.nodes.find(({ node }) => node === 'n_tally'))
      .toMatchObject({ node: 'n_tally', ...tally });
    expect([watched.connections > 1, watched.epochs.size]).toEqual([true, 2]);
    expect(watched.frames).toBeGreaterThan(0);
    expect(tapped.records).toBeGreaterThan(0);
    expect(tapped.texts.every((text) => /^\{"n":\d+,"v":\d+/.test(text))).toBe(true);
    // An old key is known still, and nobody else may post.
    const again = all[0] as Sending;
    expect(await postUntilTaken(door, again.batch)).toEqual({ accepted: BATCH, rejected: [] });
    expect(await count('posted_rows')).toBe(RECORDS);
    watched.close();
    tapped.close();
    server.kill('SIGTERM');
    expect((await server.ended).code, `MILLRACE_SEED=${SEED}`).toBe(0);
  }, 300_000);
});

const byNode = (a: object, b: object): number =>
  (a as { node: string }).node < (b as { node: string }).node ? -1 : 1;
