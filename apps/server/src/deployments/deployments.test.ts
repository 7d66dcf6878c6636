import { openStore, type Store } from '@millrace/store';
import { listAudit } from '@millrace/store/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { type CountingPipeline, storeVersion, tableOf } from '../testing/counting-pipeline.ts';
import { accountActor, startTestApp, type TestApp, tokenActor } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { deploymentFeature } from './deployment-feature.ts';

const folder = testFolder();
let store: Store;
let host: Supervisor;
let app: TestApp;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
  host = superviseEngineHost({
    address: () => store.address(),
    dataDir: folder.path,
    holdPaused: false,
    log: () => undefined,
  });
  const isReady = new Promise<void>((resolve) => {
    host.listen({ host: (now) => now === 'ready' && resolve() });
  });
  host.start();
  app = await startTestApp([deploymentFeature({ store, host })]);
  app.act(accountActor('editor'));
  await isReady;
});
afterAll(async () => {
  await app.close();
  await host.stop(5_000);
  await store.close();
  await folder.remove();
});

interface Answer {
  readonly revision: number;
  readonly version: number;
  readonly observed: { readonly state: string; readonly version: number; readonly upToDate: boolean };
  readonly [field: string]: unknown;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  status = 200,
  headers = {},
): Promise<Answer> {
  const answer = await app.call(method, `/api/v1${path}`, body, headers);
  if (answer.status !== status)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Answer;
}

/** In the catalog, with a first version. */
async function make(pipeline: CountingPipeline, workspace = 'w_default'): Promise<void> {
  const files = new Map([['pipeline.json', '{}']]);
  const entry = {
    id: pipeline.id,
    workspace,
    name: pipeline.id,
    description: '',
    tags: [],
    files,
    hash: 'h',
  };
  expect(await store.catalog.entries.create(entry, { by: 'a_editor' })).toBe('created');
  await storeVersion(store, pipeline);
}

const place = (id: string, what = '') => `/pipelines/${id}/deployment${what}`;
const state = async (id: string) => {
  const { observed } = await ask('GET', place(id));
  return observed.upToDate ? `${observed.state} ${observed.version}` : 'not yet';
};
const rows = async (id: string) =>
  ((await store.query(`select count(*)::int4 as n from ${tableOf(id)}`).catch(() => []))[0]?.n ??
    0) as number;

describe('a deployment', () => {
  test('is planned, deployed, paused, resumed, stopped, started and rolled back', async () => {
    const pipeline = { id: 'p_whole', rate: 500 } as const;
    await make(pipeline);
    const first = await ask('POST', place('p_whole', '/plan'), { version: 1 });
    expect(first).toMatchObject({ from: null, to: 1, losing: [], trouble: null });
    expect((first.nodes as { id: string; kind: string }[]).map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'n_code new',
      'n_in new',
      'n_out new',
    ]);
    await ask('POST', place('p_whole'), { version: 1, message: 'first' }, 202);
    await expect.poll(() => state('p_whole')).toBe('running 1');
    await expect.poll(() => rows('p_whole')).toBeGreaterThan(20);

    await storeVersion(store, { ...pipeline, factor: 3 });
    const second = await ask('POST', place('p_whole', '/plan'), { version: 2 });
    expect(second).toMatchObject({ from: 1, to: 2, losing: [] });
    expect((second.nodes as { id: string }[]).find(({ id }) => id === 'n_code')).toMatchObject({
      kind: 'changed',
      note: 'state stays',
      stored: { keys: 10, timers: 0, complete: true },
    });
    await ask('POST', place('p_whole'), { version: 2 }, 202);
    await expect.poll(() => state('p_whole')).toBe('running 2');
    for (const [what, then] of [
      ['pause', 'paused 2'],
      ['resume', 'running 2'],
      ['stop', 'stopped 2'],
      ['start', 'running 2'],
      ['kill', 'stopped 2'],
    ]) {
      await ask('POST', place('p_whole', `/${what}`));
      await expect.poll(() => state('p_whole')).toBe(then);
    }
    await ask('POST', place('p_whole', '/rollback'), {}, 202);
    await expect.poll(() => state('p_whole')).toBe('running 1');
    const { items } = await ask('GET', '/pipelines/p_whole/deploys');
    expect(items).toMatchObject([
      { number: 3, version: 1, previous: 2 },
      { number: 2, version: 2, previous: 1 },
      { number: 1, version: 1, previous: null, message: 'first', actor: 'a_editor' },
    ]);
    await ask('POST', place('p_whole', '/stop'));
    await expect.poll(() => state('p_whole')).toBe('stopped 1');
    const [sum] = await store.query(
      `select count(*)::int4 as rows, count(distinct n)::int4 as numbers, max(n)::int4 as last from ${tableOf('p_whole')}`,
    );
    expect(sum).toMatchObject({ rows: (sum?.last as number) + 1, numbers: sum?.rows });
    const audited = await listAudit(store.database, 'w_default', { limit: 100, target: 'p_whole' });
    expect(audited.map(({ action }) => action.split('.')[1])).toEqual(
      [
        ...['deployed', 'deployed', 'paused', 'resumed', 'stopped', 'started', 'killed', 'deployed'],
        'stopped',
      ].reverse(),
    );
  });

  test('Y1: is refused with its plan where state would go, and nothing changes before that is agreed', async () => {
    await make({ id: 'p_state', rate: 500 });
    await ask('POST', place('p_state'), { version: 1 }, 202);
    await expect.poll(() => rows('p_state')).toBeGreaterThan(20);
    await storeVersion(store, { id: 'p_state', rate: 500, node: 'n_other' });
    const refused = await ask('POST', place('p_state'), { version: 2 }, 409);
    expect(refused).toMatchObject({ code: 'state-would-go', plan: { losing: ['n_code'], from: 1 } });
    expect(await ask('GET', place('p_state'))).toMatchObject({ version: 1, revision: 1 });
    await ask('POST', place('p_state'), { version: 2, dropState: ['n_code', 'n_unknown'] }, 202);
    await expect.poll(() => state('p_state')).toBe('running 2');
    const { items } = await ask('GET', '/pipelines/p_state/deploys');
    expect((items as unknown[])[0]).toMatchObject({ version: 2, dropped: ['n_code'] });
    await ask('POST', place('p_state', '/kill'));
    await expect.poll(() => state('p_state')).toBe('stopped 2');
  });

  test('tells in its plan what would keep it from starting', async () => {
    const config = { path: 'missing.jsonl', format: 'jsonl', type: '{ n: number }' };
    await make({ id: 'p_missing', rate: 'max', injector: { type: 'injector/file', config } });
    const plan = await ask('POST', place('p_missing', '/plan'), { version: 1 });
    expect(plan.trouble).toMatch(/missing\.jsonl/);
    await ask('POST', place('p_missing', '/plan'), { version: 9 }, 404);
  });

  test('another number of workers is a wish of its own, followed while the pipeline runs', async () => {
    await make({ id: 'p_sized', rate: 200 });
    await ask('POST', place('p_sized'), { version: 1 }, 202);
    await expect.poll(() => state('p_sized')).toBe('running 1');
    const { startedAt } = await ask('GET', place('p_sized'));
    const workers = async () => {
      const answer = await host.request('runtime', { pipeline: 'p_sized' });
      return answer.kind === 'answer' && answer.body.goal === undefined
        ? answer.body.workers.map(({ share }) => share)
        : 'not yet';
    };
    await ask('POST', place('p_sized', '/workers'), { workers: 2 }, 202, { 'if-match': '"1"' });
    await expect.poll(workers).toEqual([0.5, 0.5]);
    await ask('POST', place('p_sized', '/workers'), { workers: 1 }, 202);
    await expect.poll(workers).toEqual([1]);
    expect(await ask('GET', place('p_sized'))).toMatchObject({ workers: 1, revision: 3, startedAt });
    await ask('POST', place('p_sized', '/workers'), { workers: 2 }, 412, { 'if-match': '"1"' });
    await ask('POST', place('p_sized', '/workers'), { workers: 0 }, 400);
    const [last] = await listAudit(store.database, 'w_default', { limit: 1, target: 'p_sized' });
    expect(last).toMatchObject({ action: 'pipeline.resized', detail: { workers: 1, previous: 2 } });
    await ask('POST', place('p_sized', '/kill'));
  });

  test('a wish made for an older revision is refused', async () => {
    await make({ id: 'p_tag', rate: 100 });
    const made = await ask('POST', place('p_tag'), { version: 1, paused: true }, 202, { 'if-match': '"0"' });
    expect(made).toMatchObject({ revision: 1, desired: 'paused' });
    await ask('POST', place('p_tag', '/stop'), undefined, 412, { 'if-match': '"7"' });
    await ask('POST', place('p_tag', '/stop'), undefined, 200, { 'if-match': '"1"' });
    await ask('POST', place('p_tag', '/rollback'), {}, 409);
  });

  test('a pipeline that was never deployed says what to do first', async () => {
    await make({ id: 'p_fresh', rate: 100 });
    expect(await ask('POST', place('p_fresh', '/start'), undefined, 404)).toMatchObject({
      detail: expect.stringContaining('Deploy a version'),
    });
  });

  test('is not there for other workspaces, and not to operate for a viewer or another pipeline’s token', async () => {
    await make({ id: 'p_mine', rate: 100 });
    await make({ id: 'p_theirs', rate: 100 }, 'w_other');
    await ask('POST', place('p_mine'), { version: 1, paused: true }, 202);
    for (const [path, body] of [
      [place('p_theirs'), { version: 1 }],
      [place('p_theirs', '/plan'), { version: 1 }],
      [place('p_theirs', '/stop'), undefined],
      [place('p_none', '/start'), undefined],
    ] as const)
      await ask('POST', path, body, 404);
    const writes = ['/plan', '', '/rollback', '/start', '/stop', '/kill', '/pause', '/resume', '/workers'];
    app.act(accountActor('viewer'));
    for (const what of writes)
      await ask('POST', place('p_mine', what), what === '/workers' ? { workers: 2 } : { version: 1 }, 403);
    expect(await ask('GET', place('p_mine'))).toMatchObject({ desired: 'paused' });
    app.act(tokenActor(['graph.read', 'run.operate', 'run.deploy'], 'p_tag'));
    for (const what of writes)
      await ask('POST', place('p_mine', what), what === '/workers' ? { workers: 2 } : { version: 1 }, 403);
    app.act(accountActor('editor'));
    await ask('POST', place('p_mine', '/kill'));
  });
});
