/** Posted records through the server's route, the real engine host and the real database, all of which may die. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { storeVersion, tableOf } from '../testing/counting-pipeline.ts';
import { startTestApp, type TestApp, tokenActor } from '../testing/test-app.ts';
import { ingestFeature } from './ingest-feature.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-ingest-'));
const ID = 'p_posted';
let store: Store;
let host: Supervisor;
let app: TestApp;

beforeAll(async () => {
  store = await openStore({ dataDir }, () => undefined);
  host = superviseEngineHost({
    address: () => store.address(),
    dataDir,
    holdPaused: false,
    log: () => undefined,
  });
  host.start();
  app = await startTestApp([ingestFeature({ deployments: store.deployments, host })]);
  app.act(tokenActor(['ingest'], ID));
  const injector = { type: 'injector/http', config: { type: '{ n: number }' } };
  const version = await storeVersion(store, { id: ID, rate: 1, injector });
  await store.deployments.deploy({
    pipeline: ID,
    workspace: 'w_default',
    version,
    desired: 'running',
    workers: 2,
    plannedFrom: undefined,
    dropState: [],
    folder: undefined,
    actor: 'a_test',
    message: '',
  });
  host.nudge(ID);
});

afterAll(async () => {
  await app.close();
  await host.stop(5_000);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (text: string, key: string) =>
  fetch(`${app.url}/in/${ID}/numbers`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': key, origin: app.url },
  });

async function postUntilTaken(key: string, text: string): Promise<unknown> {
  for (const until = Date.now() + 50_000; Date.now() < until; await sleep(50)) {
    const answer = await post(text, key);
    if (answer.status === 200) return answer.json();
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('"code"')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  throw new Error(`${key} was not taken`);
}

const REQUESTS = 20;
const EACH = 1_000;
const lines = (request: number) =>
  Array.from({ length: EACH }, (_, i) => `{"n":${request * EACH + i}}\n`).join('');

describe('records posted to a deployed pipeline', () => {
  test('Y5: are in once, though the engine host and the database are killed under them', async () => {
    // A pid is the last one's until the next process is up.
    const kill = (pidOf: () => number | undefined) =>
      vi.waitFor(() => process.kill(pidOf() as number, 'SIGKILL'), 20_000);
    const kills = [() => kill(() => host.pid), () => kill(store.serverPid), () => kill(() => host.pid)];
    let done = 0;
    await Promise.all(
      Array.from({ length: REQUESTS }, async (_, i) => {
        await sleep(i * 20);
        expect(await postUntilTaken(`key-${i}`, lines(i))).toEqual({
          accepted: EACH,
          rejected: [],
        });
        if (++done % 5 === 0) await kills[done / 5 - 1]?.();
      }),
    );
    for (let i = 0; i < REQUESTS; i += 7)
      expect(await postUntilTaken(`key-${i}`, lines(i))).toEqual({ accepted: EACH, rejected: [] });
    const sums = async () =>
      store
        .query(
          `select count(*)::int4 as rows, count(distinct n)::int4 as numbers, max(n)::int4 as last, max(seen)::int4 as seen from ${tableOf(ID)}`,
        )
        .then(([row]) => row)
        .catch(() => undefined);
    const total = REQUESTS * EACH;
    await expect.poll(sums).toEqual({ rows: total, numbers: total, last: total - 1, seen: total / 10 });
  });

  test('are sent back while the pipeline is paused', async () => {
    await store.deployments.setDesired(ID, { desired: 'paused', abandon: false });
    host.nudge(ID);
    const answer = await post('{"n":1}', 'while-paused');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  });
});
