import {
  BundleBodyWriter,
  ChangeCursor,
  compareBytes,
  META_SPACE,
  metaKeys,
  readBundleBody,
  startsWith,
} from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { CommitOutcome, FoldBatch, PageRow } from '../../ports.ts';
import { MemoryStore } from '../../testing/memory-store.ts';
import { PagedStore } from './paged-store.ts';

const NO_EXTRAS = { undelivered: [], delivered: [] };
const SPACES = [4, 8];

interface Put {
  readonly space: number;
  readonly key: Uint8Array;
  /** Undefined: removed. */
  readonly value: Uint8Array | undefined;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A plain sorted map, told the same changes, that remembers what it was after each. */
class Model {
  readonly #states = [new Map<string, Put>()];

  get version(): number {
    return this.#states.length - 1;
  }

  take(puts: readonly Put[]): void {
    const next = new Map(this.#states[this.version]);
    for (const put of puts) {
      const id = `${put.space}/${hex(put.key)}`;
      if (put.value === undefined) next.delete(id);
      else next.set(id, put);
    }
    this.#states.push(next);
  }

  where(space: number, wanted: (key: Uint8Array) => boolean, version = this.version): [string, string][] {
    return [...(this.#states[version]?.values() ?? [])]
      .filter((put) => put.space === space && wanted(put.key))
      .sort((a, b) => compareBytes(a.key, b.key))
      .map(({ key, value }) => [hex(key), hex(value as Uint8Array)]);
  }
}

/** A store whose reads and folds take a given number of turns, so that they overlap. */
class SlowStore extends MemoryStore {
  turns: () => number = () => 0;

  override async readPages(space: number, starts: readonly Uint8Array[]): Promise<readonly PageRow[]> {
    const rows = await super.readPages(space, starts);
    for (let left = this.turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
    return rows;
  }

  override async fold(hostSequencer: number, batch: FoldBatch): Promise<CommitOutcome> {
    for (let left = this.turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
    return super.fold(hostSequencer, batch);
  }
}

class Rig {
  readonly store = new SlowStore();
  readonly model = new Model();
  paged!: PagedStore;
  position = 0;

  async open(): Promise<void> {
    await this.store.claimHost();
    await this.store.claimWorker(0);
    this.paged = await PagedStore.open(this.store);
  }

  async commit(puts: readonly Put[]): Promise<void> {
    const writer = new BundleBodyWriter();
    for (const { space, key, value } of puts)
      if (value === undefined) writer.remove(space, key);
      else writer.put(space, key, value);
    const body = writer.take();
    const position = ++this.position;
    await this.store.commit([
      { position, slot: 0, sequencer: this.store.leases.get(0) as number, bundleNumber: position, body },
    ]);
    this.paged.apply(position, readBundleBody(body));
    this.model.take(puts);
  }

  fold(): Promise<CommitOutcome> {
    return this.paged.fold(this.store.host, NO_EXTRAS, 0);
  }

  /** A new host: pages, and the log behind them, `again` bundles of which are folded already (PS2). */
  async reopen(again: number): Promise<void> {
    await this.open();
    const from = Math.max(0, (await this.store.foldedThrough()) - again);
    for await (const bundles of this.store.bundlesAfter(from))
      for (const { position, body } of bundles) this.paged.apply(position, readBundleBody(body));
  }

  async check(): Promise<void> {
    for (const space of SPACES) await this.checkScan(space, new Uint8Array(0));
  }

  /** The answer must be what the model was at some moment between the question and the answer. */
  async checkScan(space: number, prefix: Uint8Array, limit = Number.MAX_SAFE_INTEGER): Promise<void> {
    const asked = this.model.version;
    const [found] = await this.paged.scan([{ space, prefix, limit }]);
    const entries = found?.entries.map(({ key, value }) => [hex(key), hex(value)]);
    const answers = [];
    for (let version = this.model.version; version >= asked; version--) {
      const all = this.model.where(space, (key) => startsWith(key, prefix), version);
      answers.push({ entries: all.slice(0, limit), complete: all.length <= limit });
    }
    if (answers.length === 1) expect({ entries, complete: found?.complete }).toEqual(answers[0]);
    else expect(answers).toContainEqual({ entries, complete: found?.complete });
  }

  async checkRange(space: number, from: Uint8Array, to: Uint8Array | undefined): Promise<void> {
    const found = await this.paged.range(space, from, to);
    const inside = (key: Uint8Array) =>
      compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0);
    expect(found.map(({ key, value }) => [hex(key), hex(value)])).toEqual(this.model.where(space, inside));
  }
}

const short = fc
  .uint8Array({ maxLength: 3 })
  .map((bytes) => bytes.map((byte) => [0, 1, 7, 255][byte % 4] as number));
/** Half of them begin as keys of nodes do, with one of a few hashes. */
const key = fc.oneof(
  short,
  fc
    .tuple(fc.constantFrom(1, 2, 3), short)
    .map(([hash, rest]) => Uint8Array.of(0, 0, 0, hash >> 1, 0, 0, 0, hash & 1, ...rest)),
);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.nat(255), fc.constantFrom(0, 1, 40, 3000, 20_000)) },
  { weight: 2, arbitrary: fc.constant(undefined) },
);
const put: fc.Arbitrary<Put> = fc
  .record({ space: fc.constantFrom(...SPACES), key, value })
  .map(({ space, key, value }) => ({
    space,
    key,
    value: value === undefined ? undefined : new Uint8Array(value[1]).fill(value[0]),
  }));
type Step =
  | { do: 'commit'; puts: Put[] }
  | { do: 'scan'; space: number; key: Uint8Array; limit: number }
  | { do: 'range'; space: number; key: Uint8Array; to: Uint8Array | undefined }
  | { do: 'fold' }
  | { do: 'drain' }
  | { do: 'reopen'; again: number };
const space = fc.constantFrom(...SPACES);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('commit' as const), puts: fc.array(put, { maxLength: 12 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('scan' as const), space, key, limit: fc.constantFrom(1, 2, 1e9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('range' as const),
      space,
      key,
      to: fc.option(key, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'fold' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'drain' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reopen' as const), again: fc.nat(5) }) },
);

async function run(steps: readonly Step[], turns: readonly number[]): Promise<void> {
  const rig = new Rig();
  let turn = 0;
  rig.store.turns = () => turns[turn++ % turns.length] as number;
  await rig.open();
  const reads: Promise<void>[] = [];
  let folding: Promise<unknown> = Promise.resolve();
  const drain = async () => {
    await folding;
    await Promise.all(reads.splice(0));
  };
  for (const step of steps) {
    switch (step.do) {
      case 'commit':
        await rig.commit(step.puts);
        break;
      case 'scan':
        reads.push(rig.checkScan(step.space, step.key, step.limit));
        break;
      case 'range':
        await rig.checkRange(step.space, step.key, step.to);
        break;
      case 'fold':
        await folding;
        folding = rig.fold();
        break;
      case 'drain':
        await drain();
        break;
      case 'reopen':
        await drain();
        await rig.reopen(step.again);
        break;
    }
    for (const read of reads) read.catch(() => undefined);
  }
  await drain();
  await rig.check();
  await rig.fold();
  await rig.check();
  expect(rig.paged.unfoldedBytes).toBe(0);
  await rig.reopen(0);
  await rig.check();
}

describe('PagedStore', () => {
  it('finds thousands of keys among changes that are not folded without reading all of them for each', async () => {
    const rig = new Rig();
    await rig.open();
    const keys = Array.from({ length: 2_000 }, (_, i) => {
      const key = new Uint8Array(9);
      new DataView(key.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(i) * 0x9e3779b97f4a7c15n));
      return key;
    });
    for (let i = 0; i < keys.length; i += 500)
      await rig.commit(
        keys.slice(i, i + 500).map((key, j) => ({ space: 4, key, value: Uint8Array.of((i + j) % 251) })),
      );
    const read = vi.spyOn(ChangeCursor.prototype, 'read');
    const found = await rig.paged.scan(
      keys.map((key) => ({ space: 4, prefix: key.subarray(0, 8), limit: 9 })),
    );
    const reads = read.mock.calls.length;
    read.mockRestore();
    expect(found.map(({ entries }) => entries[0]?.value[0])).toEqual(keys.map((_, i) => i % 251));
    expect(reads).toBeLessThan(3 * keys.length);
  });

  it('PS1–PS4: is a sorted map, whatever is put, removed, scanned, folded and taken up again meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
        run,
      ),
      { numRuns: 120 },
    );
  });

  it('PS4: a read that was on its way when a fold emptied its page does not bring the old content back', async () => {
    const rig = new Rig();
    await rig.open();
    const key = Uint8Array.of(1);
    await rig.commit([{ space: 4, key, value: Uint8Array.of(9) }]);
    await rig.fold();
    await rig.reopen(0);
    const turns = [20, 0, 0];
    rig.store.turns = () => turns.shift() ?? 0;
    const read = rig.paged.scan([{ space: 4, prefix: key, limit: 1 }]);
    await rig.commit([{ space: 4, key, value: undefined }]);
    await rig.fold();
    expect((await read)[0]?.entries).toEqual([]);
    await rig.check();
  });

  it('PS1: says so when a page that the directory names is not there, rather than reading for ever', async () => {
    const rig = new Rig();
    await rig.open();
    await rig.commit([{ space: 4, key: Uint8Array.of(1), value: Uint8Array.of(9) }]);
    await rig.fold();
    await rig.reopen(0);
    rig.store.readPages = async () => [];
    await expect(rig.paged.get(4, Uint8Array.of(1))).rejects.toThrow(/page/);
  });

  it('PS2: folding the whole log a second time changes nothing', async () => {
    const rig = new Rig();
    await rig.open();
    for (let i = 0; i < 30; i++)
      await rig.commit([
        { space: 4, key: Uint8Array.of(i % 7), value: i % 5 === 0 ? undefined : new Uint8Array(900).fill(i) },
      ]);
    await rig.fold();
    await rig.reopen(1000);
    await rig.fold();
    await rig.check();
  });

  it('splits large pages, drops empty ones, and finds every key in the directory that is left', async () => {
    const rig = new Rig();
    await rig.open();
    const keyOf = (i: number) => Uint8Array.of(i >> 8, i & 255);
    await rig.commit(
      Array.from({ length: 600 }, (_, i) => ({
        space: 4,
        key: keyOf(i),
        value: new Uint8Array(100).fill(i),
      })),
    );
    await rig.fold();
    const pages = await rig.store.pageDirectory();
    expect(pages.length).toBeGreaterThan(5);
    const rows = await rig.store.readPages(
      4,
      pages.map(({ start }) => start),
    );
    for (const { body } of rows) expect(body.length).toBeLessThan(12 * 1024 + 1);
    await rig.commit(
      Array.from({ length: 500 }, (_, i) => ({ space: 4, key: keyOf(i + 50), value: undefined })),
    );
    await rig.fold();
    expect((await rig.store.pageDirectory()).length).toBeLessThan(pages.length);
    await rig.check();
    await rig.commit([{ space: 4, key: keyOf(300), value: Uint8Array.of(1) }]);
    await rig.reopen(0);
    await rig.check();
    expect(rig.paged.isEmpty(4)).toBe(false);
    await rig.commit(Array.from({ length: 600 }, (_, i) => ({ space: 4, key: keyOf(i), value: undefined })));
    await rig.fold();
    expect(rig.paged.isEmpty(4)).toBe(true);
    expect(await rig.store.pageDirectory()).toEqual([]);
  });

  it('keeps dead letters once, however often their bundle is applied', async () => {
    const rig = new Rig();
    await rig.open();
    const writer = new BundleBodyWriter();
    writer.deadLetter(JSON.stringify({ id: 'a' }));
    const body = readBundleBody(writer.take());
    rig.paged.apply(1, body);
    await rig.fold();
    rig.paged.apply(1, body);
    await rig.fold();
    expect(await rig.store.deadLetters(10)).toHaveLength(1);
  });

  it('the host’s own entries are durable with the next fold', async () => {
    const rig = new Rig();
    await rig.open();
    rig.paged.putMeta(metaKeys.workers(), Uint8Array.of(3));
    expect(await rig.paged.get(META_SPACE, metaKeys.workers())).toEqual(Uint8Array.of(3));
    await rig.reopen(0);
    expect(await rig.paged.get(META_SPACE, metaKeys.workers())).toBeUndefined();
    rig.paged.putMeta(metaKeys.workers(), Uint8Array.of(3));
    expect(await rig.fold()).toBe('committed');
    await rig.reopen(0);
    expect(await rig.paged.get(META_SPACE, metaKeys.workers())).toEqual(Uint8Array.of(3));
  });

  it('a read says when each entry last came into its page, and of which it has not yet', async () => {
    const rig = new Rig();
    await rig.open();
    const [a, b] = [Uint8Array.of(1), Uint8Array.of(2)];
    const change = (key: Uint8Array, n: number) => [{ space: 4, key, value: Uint8Array.of(n) }];
    const times = async () => {
      const [found] = await rig.paged.scan([{ space: 4, prefix: new Uint8Array(0), limit: 10 }]);
      return found?.entries.map(({ changed }) => changed);
    };
    await rig.commit([...change(a, 1), ...change(b, 1)]);
    expect(await times()).toEqual(['unfolded', 'unfolded']);
    await rig.paged.fold(rig.store.host, NO_EXTRAS, 7_000);
    await rig.commit(change(b, 2));
    expect(await times()).toEqual([7_000, 'unfolded']);
    await rig.paged.fold(rig.store.host, NO_EXTRAS, 12_345);
    expect(await times()).toEqual([7_000, 12_000]);
  });

  it('P6: a fold of a host that has been replaced is refused', async () => {
    const rig = new Rig();
    await rig.open();
    await rig.commit([{ space: 4, key: Uint8Array.of(1), value: Uint8Array.of(1) }]);
    const old = rig.store.host;
    await rig.store.claimHost();
    expect(await rig.paged.fold(old, NO_EXTRAS, 0)).toBe('fenced');
    expect(await rig.store.pageDirectory()).toEqual([]);
  });
});
