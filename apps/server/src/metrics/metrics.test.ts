import type { PipelineProgress } from '@millrace/protocol/control';
import { metricsStore, openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountActor, startTestApp, type TestApp } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { metricsFeature } from './metrics-feature.ts';
import { type MetricsRecorder, metricsRecorder } from './metrics-recorder.ts';

const folder = testFolder();
let store: Store;
let app: TestApp;
let recent: MetricsRecorder['recent'] = () => [];

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
  app = await startTestApp([
    metricsFeature({ store, metrics: metricsStore(store.database), recent: (pipeline) => recent(pipeline) }),
  ]);
  app.act(accountActor('viewer'));
  const files = new Map([['pipeline.json', '{}']]);
  const entry = { id: 'p_m', workspace: 'w_default', name: 'm', description: '', tags: [], files, hash: 'h' };
  await store.catalog.entries.create(entry, { by: 'a' });
});
afterAll(async () => {
  await app.close();
  await store.close();
  await folder.remove();
});

const minute = 1_700_000_040_000;
const sample = (at: number, node: string, n: number): PipelineProgress =>
  ({
    pipeline: 'p_m',
    version: 1,
    at,
    nodes: [{ node, in: n, backlog: 2 * n, latency: { p50Ms: n, p95Ms: n, p99Ms: n } }],
    streams: [{ stream: 's_0', rate: 3 * n, inFlight: n }],
    commits: { bundleRate: n, p99Ms: 7 },
  }) as unknown as PipelineProgress;

const read = async (query: string) => {
  const path = `/api/v1/pipelines/p_m/metrics?from=${minute}&to=${minute + 120_000}${query}`;
  const answer = await app.call('GET', path);
  expect(answer.status).toBe(200);
  type Measures = Record<string, (number | null)[]>;
  type Series = Record<string, Measures>;
  return answer.body as { at: number[]; nodes: Series; streams: Series; pipeline: Measures };
};

test('numbers are kept as blobs of ten seconds, and minutes are made from what is stored', async () => {
  let now = minute;
  const metrics = metricsStore(store.database);
  let recorder = metricsRecorder(metrics, () => now);
  for (let second = 0; second < 15; second++) {
    now = minute + second * 1000;
    recorder.take(sample(now, 'n_a', second));
    // Somebody watches: more often than once a second is not kept.
    recorder.take(sample(now + 100, 'n_a', 999));
  }
  await recorder.flush();
  expect((await read('')).at).toHaveLength(10);
  await recorder.flush(true);
  // Another server goes on.
  recorder = metricsRecorder(metrics, () => now);
  now = minute + 30_000;
  recorder.take(sample(now, 'n_b', 100));
  await recorder.flush(true);

  const seconds = await read('');
  expect(seconds.at).toHaveLength(16);
  expect(seconds.nodes.n_a?.in).toEqual([...Array.from({ length: 15 }, (_, n) => n), null]);
  expect(seconds.nodes.n_b?.backlog).toEqual([...Array.from({ length: 15 }, () => null), 200]);
  expect(seconds.nodes.n_a?.lagMs).toBe(undefined);
  expect(seconds.nodes.n_b?.latencyP95Ms?.at(-1)).toBe(100);
  expect(seconds.streams.s_0?.rate?.slice(0, 3)).toEqual([0, 3, 6]);
  expect(seconds.pipeline.commitP99Ms).toEqual(Array.from({ length: 16 }, () => 7));
  expect(await read('&per=minute')).toMatchObject({
    at: [minute],
    nodes: { n_a: { in: [7] } },
    least: { n_a: { in: [0] }, n_b: { in: [100] } },
    greatest: { n_a: { in: [14], backlog: [28] } },
  });
  const spans = await store.query(
    'select resolution, count(*)::int4 as n from millrace.metrics group by 1 order by 1',
  );
  expect(spans).toEqual([
    { resolution: 10, n: 3 },
    { resolution: 60, n: 1 },
  ]);
});

test('only what is asked for is answered, the same as among all', async () => {
  for (const per of ['second', 'minute']) {
    const all = await read(`&per=${per}`);
    const some = await read(`&per=${per}&of=n_b,s_0,n_none`);
    expect(some.at).toEqual(all.at);
    expect(some.nodes).toEqual({ n_b: all.nodes.n_b });
    expect(some.streams).toEqual(all.streams);
    expect(some.pipeline).toEqual({});
    expect((await read(`&per=${per}&of=pipeline`)).pipeline).toEqual(all.pipeline);
  }
});

test('what is not stored yet is told all the same, each sample once', async () => {
  const recorder = metricsRecorder(metricsStore(store.database), () => minute + 75_000);
  recent = recorder.recent;
  for (let second = 62; second < 75; second++) recorder.take(sample(minute + second * 1000, 'n_a', second));
  const before = await read('');
  expect(before.nodes.n_a?.in?.slice(-13)).toEqual(Array.from({ length: 13 }, (_, n) => n + 62));
  await recorder.flush();
  expect(await read('')).toEqual(before);
  expect((await read('&of=n_b')).at).toEqual(before.at);
  await recorder.flush(true);
  expect(await read('')).toEqual(before);
  recent = () => [];
  await store.query('delete from millrace.metrics where starts_at >= $1', [new Date(minute + 60_000)]);
});

test('what is older than a day is forgotten, its minutes are kept', async () => {
  const metrics = metricsStore(store.database);
  await metricsRecorder(metrics, () => minute + 25 * 3_600_000).flush();
  expect((await read('')).at).toEqual([]);
  expect((await read('&per=minute')).at).toEqual([minute]);
});

test('without a span are refused with what to give', async () => {
  const { status, body } = await app.call('GET', '/api/v1/pipelines/p_m/metrics');
  expect(status).toBe(400);
  expect(body).toMatchObject({ detail: expect.stringContaining('from: Give a time in milliseconds') });
});

test('are not there for another workspace', async () => {
  app.act({ ...accountActor('viewer'), workspace: 'w_other' });
  expect((await app.call('GET', '/api/v1/pipelines/p_m/metrics?from=0&to=1')).status).toBe(404);
});
