/**
 * A secret under observation: pipelines whose targets send it back, or that fail with it in hand, run in a real engine
 * host; afterwards it is looked for everywhere something is kept or shown.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { accessStore, openKeyring, openStore, type Store, secretStore } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { type CountingPipeline, storeVersion } from '../testing/counting-pipeline.ts';
import { accountActor, startTestApp, type TestApp } from '../testing/test-app.ts';
import { secretsFeature } from './secrets-feature.ts';

const CANARY = 'zq5e1f7c90d2';
/** Of what is cut short a part must not be left either. */
const PART = CANARY.slice(0, 5);
const workspace = 'w_default';
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-canary-'));
const told: string[] = [];
const received: string[] = [];
let store: Store;
let host: Supervisor;
let app: TestApp;

/** Answers with what it was sent, most of all the credential. */
const echo = http.createServer((request, response) => {
  const said = `${request.headers.authorization} at ${request.url}`;
  received.push(said);
  request.resume();
  request.on('end', () =>
    response.writeHead(422).end(`${'.'.repeat(request.url === '/in' ? 20 : 290)} ${said} here`),
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  store = await openStore({ dataDir }, (line) => told.push(line));
  const secrets = secretStore(store.database, () => openKeyring({ dataDir, env: {} }));
  const { port } = echo.address() as AddressInfo;
  const values = {
    token: `Bearer ${CANARY}`,
    hook: `http://me:${CANARY}@127.0.0.1:${port}/hooks/${CANARY}?key=${CANARY}`,
    inside: `http://me:${CANARY}@169.254.169.254/${CANARY}`,
    database: `postgres://me:${CANARY}@127.0.0.1:${port}/${CANARY}`,
    broken: `no address ${CANARY}`,
  };
  for (const [name, value] of Object.entries(values))
    await secrets.put({ workspace, name, value, actor: 'a_test' });
  const allowed = { folders: [], hosts: [`127.0.0.1:${port}`] };
  await accessStore(store.database).write(workspace, allowed, { actor: 'a_test', ifVersion: 0 });
  app = await startTestApp([secretsFeature({ secrets })]);
  host = superviseEngineHost({
    address: () => store.address(),
    dataDir,
    holdPaused: false,
    log: (line) => told.push(JSON.stringify(line)),
  });
  host.start();
});
afterAll(async () => {
  await host.stop(5_000);
  await app.close();
  await store.close();
  await new Promise((resolve) => echo.close(resolve));
  rmSync(dataDir, { recursive: true, force: true });
});

async function deploy(id: string, sink: NonNullable<CountingPipeline['sink']>): Promise<void> {
  const version = await storeVersion(store, { id, rate: 'max', count: 3, sink });
  await store.deployments.deploy({
    ...{ pipeline: id, workspace, version, desired: 'running', workers: 1, dropState: [] },
    ...{ plannedFrom: undefined, folder: undefined, actor: 'a_test', message: '' },
  });
  host.nudge(id);
}

const seen = (id: string) => store.deployments.get(id);
const state = async (id: string) => (await seen(id))?.observed;

/** It is started again now and then, and fails again. */
const failure = async (id: string) => {
  const { observed, reason } = (await seen(id)) ?? {};
  return observed === 'failed' ? reason : undefined;
};

/** Every row of every table, as Postgres writes it. */
async function everythingStored(): Promise<string> {
  const tables = await store.query(
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace s on s.oid = relnamespace
     where nspname in ('millrace', 'data') and relkind = 'r'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await store.query(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}

/** Files of the data folder, the database's own among them, in which the bytes occur. */
function filesWith(bytes: string): string[] {
  const found = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(bytes));
}

describe('a secret that a target sends back', () => {
  test('is in no table, file, message, observation or answer', async () => {
    const { port } = echo.address() as AddressInfo;
    const headers = { Authorization: { secret: 'token' } };
    const address = `http://127.0.0.1:${port}/in`;
    await deploy('p_token', { type: 'sink/http', config: { url: address, headers } });
    await deploy('p_hook', { type: 'sink/http', config: { url: { secret: 'hook' } } });
    await deploy('p_inside', { type: 'sink/http', config: { url: { secret: 'inside' } } });
    await deploy('p_broken', { type: 'sink/http', config: { url: { secret: 'broken' } } });
    const database = { table: 't', url: { secret: 'database' } };
    await deploy('p_database', { type: 'sink/postgres', config: database });
    await deploy('p_absent', { type: 'sink/http', config: { url: { secret: 'absent' } } });
    for (const id of ['p_token', 'p_hook']) await expect.poll(() => state(id)).toBe('ended');
    const failures = {
      p_inside: 'a link-local address',
      p_broken: 'Write the secret anew',
      p_absent: 'The secret "absent" is not set',
      p_database: 'could not open its table',
    };
    for (const [id, why] of Object.entries(failures)) await expect.poll(() => failure(id)).toContain(why);

    expect(received).toContain(`Bearer ${CANARY} at /in`);
    expect(received.some((said) => said.includes(`/hooks/${CANARY}`))).toBe(true);
    const letters = await (await store.pipeline('p_token')).deadLetters(10);
    expect(letters.map(({ error }) => error)).toEqual(
      Array.from({ length: 3 }, () => `it answered 422: ${'.'.repeat(20)} ••• at /in here`),
    );

    app.act(accountActor('owner'));
    const answers = [await app.call('GET', '/api/v1/secrets'), await store.deployments.all()];
    expect(await everythingStored()).not.toContain(PART);
    expect(JSON.stringify(answers)).not.toContain(PART);
    expect(told.join('\n')).not.toContain(PART);
    await store.query('checkpoint');
    expect(filesWith(PART)).toEqual([]);
    expect(filesWith(Buffer.from(`me:${CANARY}`).toString('base64'))).toEqual([]);
  });

  test('control: what is not a secret is found by the same search', async () => {
    expect(await everythingStored()).toContain('it answered 422');
    expect(filesWith('169.254.169.254')).not.toEqual([]);
  });
});
