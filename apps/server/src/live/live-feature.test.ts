import type { DeadLetterRow } from '@millrace/engine';
import { routeIds, routeSpec } from '@millrace/protocol/api';
import { openStore, type Store } from '@millrace/store';
import { listAudit } from '@millrace/store/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeLiveSource, nodeOf, progressOf } from '../testing/fake-live-source.ts';
import { accountActor, startTestApp, type TestApp } from '../testing/test-app.ts';
import { testFolder } from '../testing/test-folder.ts';
import { liveFeature } from './live-feature.ts';
import { ViewBoard } from './view-board.ts';

const folder = testFolder();
let store: Store;
let app: TestApp;
let source: FakeLiveSource;

const base = '/api/v1/pipelines/p_one';

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
  const files = { files: new Map([['pipeline.json', '{}']]), hash: 'h' };
  for (const [id, workspace] of [
    ['p_one', 'w_default'],
    ['p_theirs', 'w_other'],
  ] as const)
    await store.catalog.entries.create(
      { id, workspace, name: id, description: '', tags: [], ...files },
      { by: 'a_test' },
    );
  source = new FakeLiveSource();
  const board = new ViewBoard(source);
  app = await startTestApp([liveFeature({ store, source, board, sockets: () => 3 })]);
});
beforeEach(() => app.act(accountActor('editor')));
afterAll(async () => {
  await app.close();
  await store.close();
  await folder.remove();
});

const letter = (n: number): DeadLetterRow => ({
  id: String(n),
  node: 'n_a',
  input: 'x'.repeat(5_000),
  error: `bad ${n}`,
  stack: 'at nodes/a.ts:1:1',
  key: 'k',
  timestamp: 7,
  origin: 'o',
  state: undefined,
  version: 1,
  attempts: 3,
});

async function fold(...deadLetters: DeadLetterRow[]): Promise<void> {
  const pipeline = await store.pipeline('p_one');
  const host = await pipeline.claimHost();
  const batch = { through: 1, writes: [], deletes: [], undelivered: [], delivered: [], deadLetters };
  await pipeline.fold(host, batch);
}

describe('live over HTTP', () => {
  test('a pipeline of another workspace is not found, by no route of these', async () => {
    for (const [method, path, body] of [
      ['GET', '/live'],
      ['GET', '/dead-letters'],
      ['GET', '/dead-letter-groups'],
      ['GET', '/dead-letter-counts'],
      ['GET', '/dead-letters/1'],
      ['POST', '/state/n_a/search', {}],
      ['POST', '/state/n_a/read', { key: 'k' }],
      ['POST', '/dead-letters/redrive', { letters: [1] }],
      ['POST', '/dead-letters/discard', { letters: [1] }],
      ['GET', '/state/n_a/biggest'],
      ['GET', '/runtime'],
      ['GET', '/watermarks/n_a/cause'],
      ['POST', '/records/trace', { record: 'r' }],
      ['POST', '/runtime/move', { from: '00000000', slot: 1 }],
    ] as const)
      for (const pipeline of ['p_theirs', 'p_none'])
        expect((await app.call(method, `/api/v1/pipelines/${pipeline}${path}`, body)).status, path).toBe(404);
  });

  test('numbers are those the host told last; before that, what is written down', async () => {
    expect((await app.call('GET', `${base}/live`)).body).toEqual({ state: null, progress: null });
    await store.deployments.deploy({
      pipeline: 'p_one',
      workspace: 'w_default',
      version: 1,
      desired: 'running',
      workers: 1,
      plannedFrom: undefined,
      dropState: [],
      folder: undefined,
      actor: 'a_test',
      message: '',
    });
    expect((await app.call('GET', `${base}/live`)).body).toMatchObject({ state: { state: 'stopped' } });
    source.say('progress', progressOf('p_one', { position: 42 }));
    expect((await app.call('GET', `${base}/live`)).body).toMatchObject({ progress: { position: 42 } });
    const metrics = await app.call('GET', '/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(metrics.body).toContain('millrace_pipeline_info{pipeline="p_one",name="p_one"');
  });

  test('numbers of a pipeline whose input has ended stay, at rest, until it runs again', async () => {
    const observed = (state: 'running' | 'ended' | 'starting') =>
      source.say('observed', { pipeline: 'p_one', state, since: 1, revision: 1 });
    const live = async () => (await app.call('GET', `${base}/live`)).body;
    observed('running');
    source.say('progress', progressOf('p_one', { nodes: [nodeOf('n_a', { in: 9, inRate: 7, busy: 1 })] }));
    observed('ended');
    expect(await live()).toMatchObject({
      state: { state: 'ended' },
      progress: { nodes: [{ in: 9, inRate: 0, busy: 0 }] },
    });
    observed('starting');
    expect(await live()).toMatchObject({ progress: null });
  });

  test('keys of a node no version has are not found, of one of which nothing is stored there are none', async () => {
    const ask = () => app.call('POST', `${base}/state/n_none/search`, {});
    expect(await ask()).toMatchObject({ status: 200, body: { items: [] } });
    for (const kind of ['state-keys', 'state-biggest'] as const)
      source.answers[kind] = { kind: 'answer', body: { unknown: true } };
    expect((await ask()).status).toBe(404);
    expect((await app.call('GET', `${base}/state/n_none/biggest`)).status).toBe(404);
    delete source.answers['state-keys'];
    delete source.answers['state-biggest'];
  });

  test('dead letters come in pages, shortened in a list and whole by number, and by cause', async () => {
    await fold(letter(1), letter(2), letter(3));
    type Page = {
      items: { number: number; input: string; inputCut: boolean; group: string }[];
      next: string;
    };
    const first = (await app.call('GET', `${base}/dead-letters?limit=2`)).body as Page;
    expect(first.items.map(({ input, inputCut }) => [input.length, inputCut])).toEqual([
      [2_000, true],
      [2_000, true],
    ]);
    const rest = (await app.call('GET', `${base}/dead-letters?limit=2&cursor=${first.next}`)).body as Page;
    expect([rest.items.length, rest.next]).toEqual([1, null]);
    const { number, group } = first.items[0] as Page['items'][number];
    const one = (await app.call('GET', `${base}/dead-letters/${number}`)).body as Page['items'][number];
    expect([one.input.length, one.inputCut]).toEqual([5_000, false]);
    expect((await app.call('GET', `${base}/dead-letter-groups`)).body).toMatchObject({
      items: [{ group, node: 'n_a', error: 'bad #', place: 'nodes/a.ts:1:1', count: 3 }],
    });
    expect(((await app.call('GET', `${base}/dead-letters?group=${group}`)).body as Page).items).toHaveLength(
      3,
    );
    expect((await app.call('GET', `${base}/dead-letter-counts`)).body).toEqual({ nodes: { n_a: 3 } });
  });

  test('a group is redriven by the host, on from where it stopped, and the audit log says by whom', async () => {
    const group = 'a'.repeat(64);
    const refused = [{ number: 3, reason: 'gone' }];
    source.answers.redrive = {
      kind: 'answer',
      body: { redriven: 2, refused, refusedCount: 1, next: { above: 7, upTo: 9 } },
    };
    const { body } = await app.call('POST', `${base}/dead-letters/redrive`, { group });
    expect(body).toMatchObject({ redriven: 2, refused, refusedCount: 1 });
    expect(source.asked.at(-1)).toMatchObject({ kind: 'redrive', body: { choice: { group, above: 0 } } });
    const cursor = (body as { next: string }).next;
    await app.call('POST', `${base}/dead-letters/redrive`, { group, cursor });
    expect(source.asked.at(-1)).toMatchObject({ body: { choice: { group, above: 7, upTo: 9 } } });
    const events = await listAudit(store.database, 'w_default', { limit: 1, target: 'p_one' });
    expect(events).toMatchObject([{ action: 'dead-letters.redriven', detail: { group } }]);
    for (const wrong of [{}, { letters: [] }, { letters: [0] }, { group: 'x' }, { group, letters: [1] }])
      expect((await app.call('POST', `${base}/dead-letters/redrive`, wrong)).status).toBe(400);
    source.answers.redrive = { kind: 'refused', code: 'not-running', message: 'start it' };
    expect((await app.call('POST', `${base}/dead-letters/redrive`, { letters: [1] })).status).toBe(422);
  });

  test('keys are given to another worker by whoever may deploy, and the audit log says by whom', async () => {
    source.answers['move-keys'] = { kind: 'answer', body: { moves: 2 } };
    const wanted = { nodes: ['n_a'], from: '80000000', to: 'c0000000', slot: 1 };
    expect((await app.call('POST', `${base}/runtime/move`, wanted)).body).toEqual({ moves: 2 });
    expect(source.asked.at(-1)).toMatchObject({ kind: 'move-keys', body: { pipeline: 'p_one', ...wanted } });
    const events = await listAudit(store.database, 'w_default', { limit: 1, target: 'p_one' });
    expect(events).toMatchObject([{ action: 'keys.moved', detail: wanted }]);
    for (const wrong of [{ slot: 1 }, { from: '8', slot: 1 }, { from: '80000000' }, { ...wanted, nodes: [] }])
      expect((await app.call('POST', `${base}/runtime/move`, wrong)).status).toBe(400);
    source.answers['move-keys'] = { kind: 'refused', code: 'not-movable', message: 'there is no worker 7' };
    expect((await app.call('POST', `${base}/runtime/move`, { ...wanted, slot: 7 })).status).toBe(422);
  });

  test('discarded dead letters are gone, and the audit log says how many', async () => {
    await fold(letter(11), letter(12));
    type Page = { items: { number: number; group: string }[] };
    const { items } = (await app.call('GET', `${base}/dead-letters?limit=2`)).body as Page;
    const one = await app.call('POST', `${base}/dead-letters/discard`, { letters: [items[0]?.number] });
    expect(one.body).toEqual({ discarded: 1 });
    const rest = await app.call('POST', `${base}/dead-letters/discard`, { group: items[1]?.group });
    expect((rest.body as { discarded: number }).discarded).toBeGreaterThan(0);
    expect(((await app.call('GET', `${base}/dead-letters`)).body as Page).items).toEqual([]);
    const events = await listAudit(store.database, 'w_default', { limit: 1, target: 'p_one' });
    expect(events).toMatchObject([{ action: 'dead-letters.discarded', detail: rest.body }]);
  });

  test('a search for keys goes on by itself while it finds nothing, and by its cursor after that', async () => {
    const next = new Uint8Array([1, 2, 3]);
    const found = { key: 'eu-1', bytes: 9, hasState: true, mapEntries: 0, timers: 0, waiting: 0 };
    const pages = [
      { position: 5, keys: [], next },
      { position: 6, keys: [found], next },
    ];
    const asked: unknown[] = [];
    const { request } = source;
    source.request = (async (kind: string, body: unknown) => {
      asked.push([kind, body]);
      return { kind: 'answer', body: { page: pages[asked.length - 1] } };
    }) as typeof request;
    const { body } = await app.call('POST', `${base}/state/n_a/search`, { beginning: 'eu' });
    source.request = request;
    expect(body).toMatchObject({ position: 6, items: [found] });
    expect(asked).toHaveLength(2);
    await app.call('POST', `${base}/state/n_a/search`, { cursor: (body as { next: string }).next });
    expect(source.asked.at(-1)).toMatchObject({ kind: 'state-keys', body: { after: next } });
  });

  test('a host that is away or refuses is a problem people can act on', async () => {
    source.answers['state-key'] = { kind: 'away' };
    const away = await app.call('POST', `${base}/state/n_a/read`, { key: 'k' });
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2']);
    source.answers['state-key'] = { kind: 'refused', code: 'failed', message: 'no' };
    expect((await app.call('POST', `${base}/state/n_a/read`, { key: 'k' })).status).toBe(422);
    source.answers['state-key'] = { kind: 'answer', body: {} };
    expect((await app.call('POST', `${base}/state/n_a/read`, { key: 'k' })).status).toBe(404);
  });

  test('what holds a watermark is told to everybody, its key and record only to whoever may read data', async () => {
    const found = {
      watermark: { kind: 'at', time: 7 } as const,
      path: ['n_out', 'n_a'],
      cause: {
        kind: 'timer',
        slot: 0,
        hold: 7,
        clock: 'watermark',
        time: 9,
        key: 'ada',
        tag: 'close',
      } as const,
    };
    source.answers['watermark-cause'] = { kind: 'answer', body: { found } };
    expect((await app.call('GET', `${base}/watermarks/n_out/cause`)).body).toEqual(found);
    app.act(accountActor('viewer'));
    expect((await app.call('GET', `${base}/watermarks/n_out/cause`)).body).toEqual({
      ...found,
      cause: { kind: 'timer', slot: 0, hold: 7, clock: 'watermark', time: 9 },
    });
    source.answers['watermark-cause'] = { kind: 'answer', body: {} };
    expect((await app.call('GET', `${base}/watermarks/n_none/cause`)).status).toBe(404);
  });

  test('a viewer sees numbers and no values', async () => {
    app.act(accountActor('viewer'));
    expect((await app.call('GET', `${base}/live`)).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '/dead-letters'],
      ['GET', '/dead-letters/1'],
      ['GET', '/dead-letter-groups'],
      ['POST', '/state/n_a/search', {}],
      ['POST', '/state/n_a/read', { key: 'k' }],
      ['POST', '/dead-letters/redrive', { letters: [1] }],
      ['POST', '/dead-letters/discard', { letters: [1] }],
      ['GET', '/state/n_a/biggest'],
      ['POST', '/records/trace', { record: 'r' }],
      ['POST', '/runtime/move', { from: '00000000', slot: 1 }],
    ] as const)
      expect((await app.call(method, `${base}${path}`, body)).status).toBe(403);
  });

  const CANARY = 'canary-7f3a';
  const OF_WHAT_RUNS = /^(live|state|runtime|records|dead-letters|metrics|watermark)/;

  /** Every answer of these routes to somebody of a role, as one text. */
  async function allAnswersTo(role: 'viewer' | 'editor'): Promise<string> {
    app.act(accountActor(role));
    const bodies: Record<string, unknown> = {
      'state.search': {},
      'state.read': { key: CANARY },
      'records.trace': { record: 'r' },
      'dead-letters.redrive': { letters: [1_000_000] },
      'dead-letters.discard': { letters: [1_000_000] },
    };
    const texts: string[] = [];
    for (const id of routeIds.filter((each) => OF_WHAT_RUNS.test(each))) {
      const { method, path } = routeSpec(id);
      const address = path
        .replace(':pipeline', 'p_one')
        .replace(':node', 'n_a')
        .replace(':number', String(await newest()));
      texts.push(JSON.stringify((await app.call(method.toUpperCase(), address, bodies[id])).body));
    }
    return texts.join('\n');
  }

  async function newest(): Promise<number> {
    const [row] = (await store.query('select max(number)::float8 as n from millrace.dead_letters')) as [
      { n: number },
    ];
    return row.n;
  }

  test('no value, key, error or input is in any answer to who may not see data, whatever he asks', async () => {
    const record = { id: CANARY, stream: 's_0', key: CANARY, timestamp: 1, at: 1, text: CANARY, cut: false };
    const key = { key: CANARY, bytes: 1, hasState: true, mapEntries: 0, timers: 0, waiting: 0 };
    const answer = (body: unknown) => ({ kind: 'answer', body }) as never;
    source.answers.trace = answer({
      record,
      parents: [{ ...record, from: CANARY, hops: 1 }],
      children: [],
      cut: false,
    });
    source.answers['state-keys'] = answer({ page: { position: 1, keys: [key] } });
    source.answers['state-biggest'] = answer({
      biggest: { position: 1, keys: [key], lookedAt: 1, complete: true },
    });
    source.answers['watermark-cause'] = answer({
      found: {
        at: 1,
        cause: { kind: 'timer', slot: 0, hold: 7, clock: 'watermark', time: 9, key: CANARY, tag: CANARY },
        path: [],
      },
    });
    const lastEnd = { at: 1, reason: `sent a frame that says ${CANARY}` };
    source.answers.runtime = answer({
      workers: [{ slot: 0, lastEnd }],
      busiestKeys: [{ node: 'n', key: CANARY, share: 0.5 }],
    });
    source.say('observed', { pipeline: 'p_one', state: 'failed', reason: CANARY, since: 1, revision: 1 });
    await fold({ ...letter(77), input: CANARY, error: CANARY, stack: CANARY, key: CANARY, state: CANARY });
    expect(await allAnswersTo('viewer')).not.toContain(CANARY);
    // What is asked would tell somebody who may.
    expect((await allAnswersTo('editor')).split(CANARY).length).toBeGreaterThan(8);
  });
});
