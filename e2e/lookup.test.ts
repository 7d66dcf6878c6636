/**
 * Looking up in a table of another database and in a file, through the real command: while both change, while the
 * database is away, and when the command is killed meanwhile. Every record comes out once.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@millrace/store';
import { expect, it, onTestFinished } from 'vitest';
import { cuttable } from './support/cuttable.ts';
import { pipelineFolder, recordsOf, tempFolder } from './support/folders.ts';
import { startMillrace } from './support/millrace.ts';
import { out } from './support/nodes.ts';
import { freePort } from './support/served.ts';

const TOKEN = 'a-token-of-this-test';
const lookup = (name: string, join: string) => ({
  type: 'operator/lookup',
  name,
  config: { kind: 'left', join },
});
const pipeline = {
  name: 'Looked up',
  nodes: {
    n_in: {
      type: 'injector/http',
      name: 'flights',
      config: { type: '{ n: number; carrier: string }', idleTimeout: '500ms' },
    },
    n_table: {
      type: 'injector/postgres-table',
      name: 'carriers',
      config: {
        table: 'public.carriers',
        url: { secret: 'carriers' },
        refresh: '300ms',
        type: '{ code: string; name: string; founded: bigint }',
      },
    },
    n_file: {
      type: 'injector/file-table',
      name: 'hubs',
      config: { path: 'hubs.csv', format: 'csv', refresh: '300ms' },
    },
    n_carrier: lookup('with carrier', '({ ...left, name: right === null ? null : right.name })'),
    n_hub: lookup('with hub', '({ n: left.n, name: left.name, hub: right === null ? null : right.hub })'),
    n_out: out(),
  },
  streams: {
    s_1: { from: ['n_in', 'out'], to: ['n_carrier', 'left'], keyBy: 'value.carrier' },
    s_2: { from: ['n_table', 'out'], to: ['n_carrier', 'right'], keyBy: 'value.code' },
    s_3: { from: ['n_carrier', 'out'], to: ['n_hub', 'left'] },
    s_4: { from: ['n_file', 'out'], to: ['n_hub', 'right'], keyBy: 'value.code' },
    s_5: { from: ['n_hub', 'out'], to: ['n_out', 'in'] },
  },
};

async function anotherDatabase() {
  const store = await openStore({ dataDir: tempFolder('database') }, () => {});
  onTestFinished(() => store.close());
  await store.query('create table public.carriers (code text, name text, founded bigint)');
  await store.query(`insert into public.carriers values ('AA', 'American', 9007199254740993)`);
  const [at] = await store.query(
    `select current_setting('unix_socket_directories') as folder, current_setting('port') as port`,
  );
  const way = await cuttable(join(String(at?.folder).replaceAll('"', ''), `.s.PGSQL.${at?.port}`));
  onTestFinished(() => way.close());
  return { store, way, url: `postgres://millrace@127.0.0.1:${new URL(way.url).port}/postgres` };
}

it('N6: looks up in what a table and a file hold, exactly once, whatever becomes of them', async () => {
  const { store, way, url } = await anotherDatabase();
  const folder = await pipelineFolder(pipeline, { 'hubs.csv': 'code,hub\nAA,Dallas\n' });
  const [data, port] = [tempFolder('data'), await freePort()];
  const start = () =>
    startMillrace(['run', folder, '--data', data, '--port', String(port), '--workers', '2', '--json'], {
      env: { MILLRACE_INGEST_TOKEN: TOKEN, MILLRACE_SECRET_CARRIERS: url },
    });
  let posted = 0;
  const post = async (carrier: string): Promise<number> => {
    const n = posted++;
    const send = () =>
      fetch(`http://127.0.0.1:${port}/in/Looked%20up/flights`, {
        method: 'POST',
        body: JSON.stringify({ n, carrier }),
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          'idempotency-key': `n-${n}`,
        },
      }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(send, { timeout: 60_000 }).toBe(200);
    return n;
  };
  const outputOf = (n: number) =>
    recordsOf(folder).find(({ value }) => (value as { n: number }).n === n)?.value;
  const poll = { timeout: 60_000, interval: 100 };

  const first = start();
  const hit = await post('AA');
  await expect.poll(() => outputOf(hit), poll).toEqual({ n: hit, name: 'American', hub: 'Dallas' });
  const miss = await post('BB');
  await expect.poll(() => outputOf(miss), poll).toEqual({ n: miss, name: null, hub: null });

  await store.query(`update public.carriers set name = 'New American'`);
  await store.query(`insert into public.carriers values ('BB', 'Bluebird', 1)`);
  writeFileSync(join(folder, 'hubs.new'), 'code,hub\nAA,Dallas\nBB,Boston\n');
  renameSync(join(folder, 'hubs.new'), join(folder, 'hubs.csv'));
  const nextOf = async (carrier: string) => {
    const n = await post(carrier);
    await expect.poll(() => outputOf(n), poll).toBeDefined();
    return { ...(outputOf(n) as object), n: undefined };
  };
  await expect.poll(() => nextOf('AA'), poll).toMatchObject({ name: 'New American', hub: 'Dallas' });
  await expect.poll(() => nextOf('BB'), poll).toMatchObject({ name: 'Bluebird', hub: 'Boston' });

  // What was read stands no longer, and nothing newer can be read: records wait, and are in nevertheless.
  way.cut();
  await first.said(/the table public\.carriers cannot be read now/);
  const waits = await post('AA');
  first.kill('SIGKILL');
  await first.ended;
  const second = start();
  await second.said(/the table public\.carriers cannot be read now/);
  const waitsToo = await post('CC');
  expect([outputOf(waits), outputOf(waitsToo)]).toEqual([undefined, undefined]);
  await store.query(`delete from public.carriers where code = 'AA'`);
  way.mend();
  await expect.poll(() => outputOf(waits), poll).toEqual({ n: waits, name: null, hub: 'Dallas' });
  await expect.poll(() => outputOf(waitsToo), poll).toEqual({ n: waitsToo, name: null, hub: null });

  second.kill('SIGTERM');
  await second.ended;
  const numbers = recordsOf(folder).map(({ value }) => (value as { n: number }).n);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: posted }, (_, n) => n));
  const said = `${(await first.ended).stderr}${(await second.ended).stderr}`;
  expect(said).not.toContain(new URL(url).port);
});
