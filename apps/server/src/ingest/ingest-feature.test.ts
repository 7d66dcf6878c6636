import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { connectors, type IngestListener, openIngestListener } from '@millrace/connectors';
import type { OpenInjector, SourcePartition } from '@millrace/engine';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accountActor, startTestApp, type TestApp, tokenActor } from '../testing/test-app.ts';
import type { HostDoor } from './forward-body.ts';
import { ingestFeature } from './ingest-feature.ts';
import { IngestRate } from './ingest-rate.ts';

const SECRET = 'secret-of-the-host';
const deployments = new Map<string, { workspace: string; desired: string }>();
const host: { ingest: HostDoor | undefined } = { ingest: undefined };
let app: TestApp;
let listener: IngestListener;
let injector: OpenInjector;
const stop = new AbortController();
const taken: string[] = [];
let isHeld = false;

beforeAll(async () => {
  listener = await openIngestListener({
    at: { host: '127.0.0.1', port: 0 },
    token: SECRET,
    connectors,
    log: () => undefined,
    limits: { requestBytes: 1 << 20 },
  });
  injector = (await listener
    .connectorsFor({ id: 'p_one', name: 'One' })
    .injector('injector/http')
    ?.open(
      {},
      {
        nodeId: 'n_in',
        nodeName: 'orders in',
        folder: '/',
        secret: async () => '',
        now: Date.now,
        requestMemory: () => ({ find: async () => undefined }),
      },
    )) as OpenInjector;
  void take(injector.partitions[0] as SourcePartition);
  const get = async (id: string) => deployments.get(id) as never;
  app = await startTestApp([ingestFeature({ deployments: { get }, host, rate: new IngestRate(() => 0) })]);
});
afterEach(() => {
  taken.length = 0;
  isHeld = false;
});
afterAll(async () => {
  stop.abort();
  await injector.close();
  await app.close();
  await listener.close();
});

/** In place of the engine: whatever comes is committed, as one record. */
async function take(partition: SourcePartition): Promise<void> {
  let number = 0;
  for await (const chunk of partition.read(0, stop.signal)) {
    if (chunk.kind !== 'request') continue;
    taken.push(`${chunk.format} ${Buffer.from(chunk.bytes).toString()}`);
    if (!isHeld) partition.committed?.(++number, [{ accepted: 1, rejected: [], unlisted: 0 }]);
  }
}

function up(): void {
  deployments.set('p_one', { workspace: 'w_default', desired: 'running' });
  deployments.set('p_two', { workspace: 'w_default', desired: 'running' });
  deployments.set('p_paused', { workspace: 'w_default', desired: 'paused' });
  deployments.set('p_other', { workspace: 'w_other', desired: 'running' });
  host.ingest = { port: listener.port as number, token: SECRET };
  app.act(tokenActor(['ingest']));
}

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream;

const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', origin: app.url, ...headers },
    // Only for streams.
    ...({ duplex: 'half' } as object),
  });

describe('POST /in of the server', () => {
  test('hands the body to the engine host as it comes, and back what the host answers', async () => {
    up();
    const answer = await post('/in/p_one/orders%20in', '[{"a": 1}]');
    expect([answer.status, await answer.json()]).toEqual([200, { accepted: 1, rejected: [] }]);
    await post('/in/p_one/n_in', gzipSync('1\n2'), {
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
    });
    expect(taken).toEqual(['json [{"a": 1}]', 'jsonl 1\n2']);
  });

  test('asks for the right to post to this pipeline', async () => {
    up();
    const status = async (path = '/in/p_one/n_in') => (await post(path, '1')).status;
    app.act(tokenActor(['graph.read', 'run.deploy']));
    expect(await status()).toBe(403);
    app.act(tokenActor(['ingest'], 'p_two'));
    expect(await status()).toBe(403);
    app.act(accountActor('viewer'));
    expect(await status()).toBe(403);
    app.act(tokenActor(['ingest'], 'p_one'));
    expect(await status()).toBe(200);
    app.act(tokenActor(['ingest']));
    expect([await status('/in/p_other/n_in'), await status('/in/p_none/n_in')]).toEqual([404, 404]);
    expect(await status('/in/..%2F..%2Fp_one/n_in')).toBe(404);
    expect(taken).toHaveLength(1);
  });

  test.each<[number, string, string, Body, Record<string, string>]>([
    [404, 'unknown-injector', '/in/p_one/n_other', '1', {}],
    [503, 'not-running', '/in/p_two/n_in', '1', {}],
    [503, 'not-running', '/in/p_paused/n_in', '1', {}],
    [415, 'unsupported-type', '/in/p_one/n_in', '1', { 'content-type': 'text/csv' }],
    [415, 'unsupported-encoding', '/in/p_one/n_in', '1', { 'content-encoding': 'br' }],
    [400, 'bad-idempotency-key', '/in/p_one/n_in', '1', { 'idempotency-key': 'a b' }],
    [413, 'too-large', '/in/p_one/n_in', 'x'.repeat(2 << 20), {}],
    [413, 'too-large', '/in/p_one/n_in', 'x'.repeat(33 << 20), {}],
    [413, 'too-large', '/in/p_one/n_in', new Blob(['x'.repeat(2 << 20)]).stream(), {}],
  ])('answers %i %s', async (status, code, path, body, headers) => {
    up();
    const answer = await post(path, body, headers);
    const problem = (await answer.json()) as { code: string };
    expect([answer.status, problem.code]).toEqual([status, code]);
    if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(taken).toEqual([]);
  });

  test('says 503 while the engine host is away, and that it does not know when it went in the middle', async () => {
    up();
    host.ingest = undefined;
    const away = await post('/in/p_one/n_in', '1');
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
    host.ingest = { port: 1, token: SECRET };
    expect((await post('/in/p_one/n_in', '1')).status).toBe(503);
    // A port that somebody else has got since.
    host.ingest = { port: listener.port as number, token: 'of an older host' };
    expect((await post('/in/p_one/n_in', '1')).status).toBe(503);
    expect(taken).toEqual([]);
  });

  test('lets go of the host when the client goes away', async () => {
    up();
    const { port } = new URL(app.url);
    const client = connect(Number(port), '127.0.0.1');
    client.write(
      'POST /in/p_one/n_in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[1,',
    );
    await new Promise((resolve) => client.write('2', resolve));
    client.destroy();
    expect((await post('/in/p_one/n_in', '[3]')).status).toBe(200);
    expect(taken).toEqual(['json [3]']);
  });

  test('tells a client in a loop to come more slowly', async () => {
    const rate = new IngestRate(() => 0);
    let passed = 0;
    while (rate.take('t_loop')) passed++;
    expect(passed).toBe(10_000);
    expect(rate.take('t_other')).toBe(true);
  });
});
