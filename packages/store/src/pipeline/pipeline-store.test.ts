import type { DeadLetterRow, FoldBatch, LoggedBundle, PipelineStore, SealedBundle } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FencedError } from '../errors.ts';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';

const folder = dataFolder();
let store: Store;
let pipeline: PipelineStore;
let host: number;
let count = 0;

beforeAll(async () => {
  store = await openStore({ dataDir: folder.path }, () => undefined);
});
beforeEach(async () => {
  count++;
  pipeline = await store.pipeline(id());
  host = await pipeline.claimHost();
});
afterAll(async () => {
  await store.close();
  await folder.remove();
});

const id = () => `p_test${count}`;

function bundle(position: number, sequencer: number, options: Partial<SealedBundle> = {}): SealedBundle {
  return {
    position,
    slot: 0,
    sequencer,
    bundleNumber: position,
    body: Buffer.from(`b${position}`),
    ...options,
  };
}

async function readAll(after = 0): Promise<LoggedBundle[]> {
  const all: LoggedBundle[] = [];
  for await (const batch of pipeline.bundlesAfter(after)) all.push(...batch);
  return all;
}

async function positions(): Promise<number[]> {
  const text = `select position from millrace.bundles join millrace.pipelines on segment / 4 = number
    where id = $1 order by position`;
  return (await store.query(text, [id()])).map((row) => Number(row.position));
}

const nothing: FoldBatch = {
  through: 0,
  writes: [],
  deletes: [],
  deadLetters: [],
  undelivered: [],
  delivered: [],
};

describe('the log', () => {
  test('bundles come back in order, byte for byte, after any position', async () => {
    const sequencer = await pipeline.claimWorker(0);
    const bodies = [
      Buffer.alloc(0),
      Buffer.from([0, 1, 255]),
      Buffer.alloc(300_000, 9),
      Buffer.alloc(20_000_000, 3),
    ];
    const bundles = bodies.map((body, i) => bundle(i + 1, sequencer, { body }));
    expect(await pipeline.commit(bundles.slice(2))).toEqual(['committed', 'committed']);
    expect(await pipeline.commit(bundles.slice(0, 2))).toEqual(['committed', 'committed']);
    const all = await readAll();
    expect(all.map((b) => b.position)).toEqual([1, 2, 3, 4]);
    expect(all.every((b, i) => Buffer.from(b.body).equals(bodies[i]!))).toBe(true);
    expect((await readAll(2)).map((b) => b.position)).toEqual([3, 4]);
    expect(await pipeline.lastPosition()).toBe(4);
  });

  test('P6: in one call, bundles of a fenced lease are left out and the others are committed', async () => {
    const [a, b] = [await pipeline.claimWorker(0), await pipeline.claimWorker(1)];
    expect(await pipeline.claimWorker(0)).toBeGreaterThan(a);
    const outcomes = await pipeline.commit([
      bundle(1, a, { slot: 0 }),
      bundle(2, b, { slot: 1 }),
      bundle(3, b + 1, { slot: 1 }),
      bundle(4, 1, { slot: 7 }),
    ]);
    expect(outcomes).toEqual(['fenced', 'committed', 'fenced', 'fenced']);
    expect((await readAll()).map((found) => found.position)).toEqual([2]);
  });

  test('P6: a claim of the host fences every worker, older hosts, and their folds, releases and versions', async () => {
    const worker = await pipeline.claimWorker(0);
    const version = await pipeline.versions.save({
      hash: 'h',
      folder: '{}',
      plan: '{}',
      bundle: '',
      sdkVersion: '1',
    });
    const second = await store.pipeline(id());
    expect(await second.claimHost()).toBeGreaterThan(host);
    // The same object: a store keeps one handle per pipeline, so the older host is played by its sequencer.
    expect(await pipeline.commit([bundle(1, worker)])).toEqual(['fenced']);
    expect(await pipeline.fold(host, nothing)).toBe('fenced');
    expect(await pipeline.versions.activate(host, version)).toBe('fenced');
    await expect(pipeline.releaseLog(host, 1)).rejects.toThrow(FencedError);
    await expect(pipeline.reset(host)).rejects.toThrow(FencedError);
  });

  test('L3: releasing truncates full segments at or below `through`, never anything above it', async () => {
    const sequencer = await pipeline.claimWorker(0);
    const body = Buffer.alloc(9 << 20, 1);
    let position = 0;
    const fill = async (n: number) => {
      for (let i = 0; i < n; i++) await pipeline.commit([bundle(++position, sequencer, { body })]);
    };
    await fill(8);
    await pipeline.releaseLog(host, 0);
    await fill(2);
    expect(await positions()).toHaveLength(10);
    await pipeline.releaseLog(host, 7);
    expect(await positions()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await pipeline.releaseLog(host, 8);
    expect(await positions()).toEqual([9, 10]);
    await fill(6);
    await pipeline.releaseLog(host, 16);
    await fill(1);
    await pipeline.releaseLog(host, 16);
    expect(await positions()).toEqual([17]);
    expect(await pipeline.lastPosition()).toBe(17);
  });

  test('L3: positions of released segments are never given again', async () => {
    const sequencer = await pipeline.claimWorker(0);
    await pipeline.commit([bundle(41, sequencer, { body: Buffer.alloc(70 << 20) })]);
    await pipeline.releaseLog(host, 41);
    await pipeline.releaseLog(host, 41);
    expect(await readAll()).toEqual([]);
    expect(await pipeline.lastPosition()).toBe(41);
  });
});

describe('folded state', () => {
  const starts = [
    Buffer.alloc(0),
    Buffer.from([0]),
    Buffer.from('é'),
    Buffer.alloc(1024, 5),
    Buffer.alloc(1025, 5),
  ];
  // Beyond what an index entry may hold, and equal in their first ten thousand bytes.
  const long = ['a', 'b'].map((end) => Buffer.concat([Buffer.alloc(16_384, 120), Buffer.from(end)]));
  const keys = [...starts, ...long];

  test('pages are written, replaced, listed in byte order, read and deleted, whatever their starts are', async () => {
    const writes = keys.map((start, i) => ({ space: 3, start, body: Buffer.alloc(i * 1000, i) }));
    const other = { space: 1, start: Buffer.from('z'), body: Buffer.from('other') };
    expect(await pipeline.fold(host, { ...nothing, through: 5, writes: [...writes, other] })).toBe(
      'committed',
    );
    expect(await pipeline.foldedThrough()).toBe(5);
    const sorted = [...keys].sort(Buffer.compare);
    expect(await pipeline.pageDirectory()).toEqual([
      { space: 1, start: other.start },
      ...sorted.map((start) => ({ space: 3, start })),
    ]);
    const replaced = { space: 3, start: long[0]!, body: Buffer.from('new') };
    const gone = { space: 3, start: long[1]! };
    await pipeline.fold(host, {
      ...nothing,
      through: 6,
      writes: [replaced],
      deletes: [gone, { space: 3, start: keys[0]! }],
    });
    const read = await pipeline.readPages(3, [...keys, Buffer.from('absent')]);
    const found = new Map(read.map((page) => [Buffer.from(page.start).toString('hex'), page.body]));
    expect(found.size).toBe(keys.length - 2);
    expect(Buffer.from(found.get(long[0]!.toString('hex'))!).toString()).toBe('new');
    expect(Buffer.from(found.get(keys[3]!.toString('hex'))!).equals(writes[3]!.body)).toBe(true);
  });

  test('many pages go in slices and stay one transaction', async () => {
    const writes = Array.from({ length: 4_500 }, (_, i) => ({
      space: 0,
      start: Buffer.from(String(i).padStart(6, '0')),
      body: Buffer.alloc(4_096, i % 251),
    }));
    await pipeline.fold(host, { ...nothing, through: 1, writes });
    const read = await pipeline.readPages(
      0,
      writes.map((page) => page.start),
    );
    expect(read.length).toBe(4_500);
    expect(read.every((page) => page.body[0] === Number(Buffer.from(page.start).toString()) % 251)).toBe(
      true,
    );
  });

  test('undelivered productions wait until they are delivered; both are idempotent', async () => {
    const rows = [1, 2, 3].map((ordinal) => ({
      position: 9,
      ordinal,
      body: Buffer.alloc(ordinal * 10, ordinal),
    }));
    await pipeline.fold(host, { ...nothing, undelivered: rows });
    await pipeline.fold(host, { ...nothing, undelivered: rows, delivered: [{ position: 9, ordinal: 2 }] });
    const left = await pipeline.undelivered();
    expect(left.map((row) => [row.position, row.ordinal, row.body.length])).toEqual([
      [9, 1, 10],
      [9, 3, 30],
    ]);
  });

  test('P8: a dead letter keeps U+0000 and lone surrogates, and the same failure twice is one row', async () => {
    const row: DeadLetterRow = {
      id: `${'x'.repeat(5_000)}\0`,
      node: 'n_1',
      input: '{"a":"\0\ud800"}',
      error: 'Error: \0',
      stack: 'at \ud800',
      key: '\0__proto__',
      timestamp: undefined,
      origin: 'file.jsonl, byte 12',
      state: undefined,
      version: 1,
      attempts: 3,
    };
    await pipeline.fold(host, { ...nothing, deadLetters: [row, { ...row, id: 'second' }] });
    await pipeline.fold(host, { ...nothing, deadLetters: [row] });
    expect(await pipeline.deadLetters(10)).toEqual([{ ...row, id: 'second' }, row]);
    expect((await pipeline.deadLetters(1)).length).toBe(1);
  });
});

describe('versions', () => {
  test('Y3: the same hash, plan and bundle are one version; activating one makes it current', async () => {
    const first = {
      hash: 'a',
      folder: '{}',
      plan: '{"n":"\\u0000"}',
      bundle: 'x = "\0é"',
      sdkVersion: '0.1.0',
    };
    expect(await pipeline.versions.current()).toBeUndefined();
    expect(await pipeline.versions.save(first)).toBe(1);
    expect(await pipeline.versions.save({ ...first, bundle: 'y' })).toBe(2);
    expect(await pipeline.versions.save(first)).toBe(1);
    expect(await pipeline.versions.activate(host, 1)).toBe('committed');
    expect(await pipeline.versions.current()).toEqual({ number: 1, ...first });
    expect(await pipeline.versions.get(3)).toBeUndefined();
    await expect(pipeline.versions.activate(host, 3)).rejects.toThrow(/foreign key/);
  });
});

describe('reset', () => {
  test('all is gone but the versions, and positions go on', async () => {
    const sequencer = await pipeline.claimWorker(0);
    await pipeline.commit([bundle(7, sequencer)]);
    await pipeline.fold(host, {
      ...nothing,
      through: 7,
      writes: [{ space: 1, start: Buffer.from('a'), body: Buffer.from('b') }],
    });
    const number = await pipeline.versions.save({
      hash: 'h',
      folder: '',
      plan: '',
      bundle: '',
      sdkVersion: '',
    });
    await pipeline.versions.activate(host, number);
    await pipeline.reset(host);
    expect(await readAll()).toEqual([]);
    expect(await pipeline.pageDirectory()).toEqual([]);
    expect(await pipeline.lastPosition()).toBe(7);
    expect((await pipeline.versions.current())?.number).toBe(number);
    expect(await pipeline.commit([bundle(8, sequencer)])).toEqual(['committed']);
  });
});

describe('P7, sinks', () => {
  const connector = { nodeId: 'n_out', nodeName: 'out', folder: '/', secret: async () => '', now: () => 0 };
  const row = {
    position: 1,
    ordinal: 0,
    recordId: 'r',
    key: '\0',
    timestamp: 5,
    bytes: Buffer.from('{"a":1}'),
  };

  test('rows, mark and dead letters are one transaction, written as role millrace_data', async () => {
    const sink = store.sinkContext(id(), host, connector);
    expect(await sink.mark()).toBeUndefined();
    const table = `data.t${count}`;
    let role: unknown;
    await sink.commit({ through: 3, detail: { length: 10 } }, [{ row, error: 'no' }], async (sql) => {
      role = (await sql.query('select current_user as role')).rows[0]?.role;
      await sql.query(`create table ${table} (a int)`);
      await sql.query(`insert into ${table} values ($1)`, [1]);
    });
    expect(role).toBe('millrace_data');
    expect(await sink.mark()).toEqual({ through: 3, detail: { length: 10 } });
    expect((await pipeline.deadLetters(5))[0]).toMatchObject({ node: 'n_out', key: '\0', input: '{"a":1}' });

    const failing = sink.commit({ through: 4, detail: {} }, [], async (sql) => {
      await sql.query(`insert into ${table} values (2)`);
      throw Object.assign(new Error('disk of the sink'), { code: 'ENOENT' });
    });
    await expect(failing).rejects.toThrow('disk of the sink');
    expect((await sink.mark())?.through).toBe(3);
    expect(await store.query(`select a from ${table}`)).toEqual([{ a: 1 }]);
  });

  test('S2: a sink cannot touch our tables, and our own statements are not run as its role', async () => {
    const sink = store.sinkContext(id(), host, connector);
    const attempt = (text: string) =>
      sink.commit({ through: 1, detail: {} }, [], async (sql) => void (await sql.query(text)));
    await expect(attempt('select * from millrace.pages')).rejects.toThrow(/permission denied/);
    await expect(attempt('create table public.x (a int)')).rejects.toThrow(/permission denied/);
    await attempt('set local search_path = data');
    expect((await sink.mark())?.through).toBe(1);
  });

  test('P6: a sink of a fenced host commits nothing', async () => {
    const sink = store.sinkContext(id(), host, connector);
    await pipeline.claimHost();
    let wrote = false;
    const late = sink.commit({ through: 9, detail: {} }, [], async () => {
      wrote = true;
    });
    await expect(late).rejects.toThrow(FencedError);
    expect(wrote).toBe(false);
  });
});
