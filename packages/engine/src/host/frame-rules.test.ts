import {
  type Batch,
  type BundleBody,
  BundleBodyWriter,
  ByteReader,
  ByteWriter,
  decodeSinkRow,
  decodeValue,
  dueFrom,
  dueSpaceOf,
  encodeRecord,
  encodeSinkRow,
  encodeValue,
  keyPrefix,
  META_SPACE,
  metaKeys,
  SINK_SLOT,
  spaceOf,
  stateKey,
} from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { decodeNamedSums, encodeNamedSums } from '../worker/named-counts.ts';
import { decodeCounters, encodeCounters, zeroCounters } from '../worker/node-counters.ts';
import { decodeStreamCount, encodeStreamCount } from '../worker/stream-counts.ts';
import { frameRules } from './frame-rules.ts';
import { PagedStore } from './paged/paged-store.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_a', to: 'n_out' },
  ],
);
const rules = frameRules({
  plan,
  slot: 1,
  slots: 2,
  nodeNumbers: [11, 12, 13],
  partitions: [{ node: 0, name: 'a/b' }],
  silentSinks: new Set(),
});
const own = stateKey(keyPrefix('k', { high: 0x80000000, low: 0 }));
const foreign = stateKey(keyPrefix('k', { high: 0x7fffffff, low: 0 }));
const one = Uint8Array.of(1);
const letter = {
  id: 'i',
  node: 'n_a',
  input: '1',
  error: 'e',
  stack: '',
  origin: 'o',
  version: 1,
  attempts: 3,
};

const check = (write: (body: BundleBodyWriter) => void) => () => {
  const body = new BundleBodyWriter();
  write(body);
  return rules.check(body.take(), { deliveredThrough: 7 });
};
const written = (write: (w: ByteWriter) => void): Uint8Array => {
  const w = new ByteWriter();
  write(w);
  return w.take();
};
const record = written((w) =>
  encodeRecord(w, { key: '', timestamp: 0, id: '', pane: undefined, value: null }),
);
const row = (line: string | Uint8Array, timestamp = 0): Uint8Array =>
  written((w) =>
    encodeSinkRow(w, {
      id: 'a\nb',
      key: 'k\n',
      timestamp,
      bytes: typeof line === 'string' ? Buffer.from(line) : line,
    }),
  );
const value = (of: unknown): Uint8Array => written((w) => encodeValue(w, of));
const position = (of: number): Uint8Array => written((w) => w.f64(of));
const source = { offset: 3, memory: undefined, largest: undefined, ended: false };
const toSink = { node: 2, stream: 1, slot: SINK_SLOT, bytes: row('{}') };
const batch = (more: Partial<Batch>) =>
  check((body) => body.batch({ node: 1, stream: 0, slot: 0, count: 1, bytes: record, ...more }));
const meta = (key: string | Uint8Array, bytes: Uint8Array = one) =>
  check((body) => body.put(META_SPACE, typeof key === 'string' ? Buffer.from(key) : key, bytes));
const deadLetter = (json: unknown) => check((body) => body.deadLetter(JSON.stringify(json)));

describe('frame rules', () => {
  it('take what a worker may write: its keys, its marks, its batches, its dead letters', () => {
    for (const kind of ['state', 'timers', 'parked', 'holds'] as const)
      expect(check((body) => body.put(spaceOf(12, kind), own, one))).not.toThrow();
    expect(check((body) => body.remove(spaceOf(12, 'state'), own))).not.toThrow();
    expect(meta(metaKeys.source(11, 'a/b'), value(source))).not.toThrow();
    expect(meta(metaKeys.watermarks(1, 12), value({ out: -1, in: undefined }))).not.toThrow();
    expect(meta(metaKeys.counters(1, 13), encodeCounters(zeroCounters()))).not.toThrow();
    expect(meta(metaKeys.delivered(1), position(7))).not.toThrow();
    expect(batch({})).not.toThrow();
    expect(batch(toSink)).not.toThrow();
    const rows = Buffer.concat([row('{"a":1}'), row('{}'), row('{"b":"\\n"}')]);
    expect(batch({ ...toSink, count: 3, bytes: rows })).not.toThrow();
    expect(deadLetter(letter)).not.toThrow();
  });

  it('H2, P6: take far timers of their own keys by rank, and refuse those of others and of no clock', () => {
    const due = (wall: boolean, prefix: Uint8Array) =>
      check((body) => body.put(dueSpaceOf(12), Uint8Array.of(...dueFrom(wall, -3), ...prefix), one));
    expect(due(false, own)).not.toThrow();
    expect(due(true, own)).not.toThrow();
    expect(due(false, foreign)).toThrow(/interval 0/);
    expect(due(false, new Uint8Array(3))).toThrow(/without a hash/);
    expect(
      check((body) => body.put(dueSpaceOf(11), Uint8Array.of(...dueFrom(true, 0), ...own), one)),
    ).toThrow(/space/);
    const noClock = Uint8Array.of(2, ...dueFrom(true, 0).subarray(1), ...own);
    expect(check((body) => body.remove(dueSpaceOf(12), noClock))).toThrow(/no clock/);
  });

  it('P6: refuse keys of an interval that another worker owns, put or removed, and keys without a hash', () => {
    expect(check((body) => body.put(spaceOf(12, 'state'), foreign, one))).toThrow('does not own');
    expect(check((body) => body.remove(spaceOf(12, 'timers'), foreign))).toThrow('does not own');
    expect(check((body) => body.put(spaceOf(12, 'state'), own.subarray(0, 9), one))).toThrow('hash');
  });

  it('refuse the spaces of injectors, sinks, nodes that are not there and other pipelines', () => {
    for (const number of [0, 11, 13, 14, 1_000_000])
      expect(check((body) => body.put(spaceOf(number, 'holds'), own, one))).toThrow();
  });

  it('refuse marks, watermarks and counters of other workers and nodes, and what is the host’s alone', () => {
    for (const key of [
      metaKeys.source(14, 'p'),
      metaKeys.source(12, 'a/b'),
      metaKeys.source(11, 'a'),
      'counters/1/12/more',
      'source/11/a/b/',
      metaKeys.watermarks(0, 12),
      metaKeys.watermarks(1, 99),
      metaKeys.counters(0, 12),
      metaKeys.delivered(0),
      metaKeys.workers(),
      metaKeys.released(),
      metaKeys.nodeNumber('n_a'),
      'delivered/1/x',
      '',
    ])
      expect(meta(key)).toThrow('not this worker');
  });

  it('refuse batches on streams that do not lead there, to slots that are not there, and sinks mistaken for workers', () => {
    for (const more of [
      { node: 2 },
      { stream: 1 },
      { stream: 9 },
      { node: 9 },
      { slot: 2 },
      { slot: SINK_SLOT },
      { node: 2, stream: 1, slot: 0 },
    ])
      expect(batch(more)).toThrow(/a batch for/);
  });

  it('P9: refuse marks that are none, that let go of what was not handed over, and their removal', () => {
    for (const [key, bytes] of [
      [metaKeys.delivered(1), position(8)],
      [metaKeys.delivered(1), position(Number.NaN)],
      [metaKeys.delivered(1), position(Number.POSITIVE_INFINITY)],
      [metaKeys.delivered(1), position(-1)],
      [metaKeys.delivered(1), one],
      [metaKeys.source(11, 'a/b'), one],
      [metaKeys.source(11, 'a/b'), Uint8Array.of(...value(source), 0)],
      [metaKeys.source(11, 'a/b'), value({ ...source, offset: Number.NaN })],
      [metaKeys.source(11, 'a/b'), value({ ...source, offset: -1 })],
      [metaKeys.source(11, 'a/b'), value({ ...source, offset: '0' })],
      [metaKeys.source(11, 'a/b'), value({ ...source, ended: 1 })],
      [metaKeys.source(11, 'a/b'), value({ ...source, largest: 'x' })],
      [metaKeys.watermarks(1, 12), value({ out: Number.NaN })],
      [metaKeys.watermarks(1, 12), value({ in: '1' })],
      [metaKeys.watermarks(1, 12), value(null)],
      [metaKeys.counters(1, 12), Uint8Array.of(0x80)],
    ] as const)
      expect(meta(key, bytes)).toThrow(/with a value that cannot be|malformed|behind it/);
    expect(check((body) => body.remove(META_SPACE, metaKeys.source(11, 'a/b')))).toThrow('to remove');
  });

  it('P7: refuse rows that would stop their sink for ever: too few, too many, at no time, no line of JSON', () => {
    for (const more of [
      { count: 0 },
      { count: 2 },
      { count: Number.MAX_SAFE_INTEGER },
      { bytes: Buffer.concat([row('{}'), row('{}')]) },
      { bytes: row('{}', Number.NaN) },
      { bytes: row('{}', Number.POSITIVE_INFINITY) },
      { bytes: row('') },
      { bytes: row('x') },
      { bytes: row('{"a":\n1}') },
      { bytes: row('1],[2') },
      { bytes: row('{}').subarray(0, 5) },
    ])
      expect(batch({ ...toSink, ...more })).toThrow(/a row for a sink|a batch|malformed/);
  });

  it('refuse batches of more records than their bytes can hold, the same batch twice, and rows nobody takes', () => {
    expect(batch({ count: 2 })).toThrow('a batch of 2 records');
    expect(batch({ count: 0 })).toThrow('a batch of 0 records');
    expect(
      check((body) => {
        for (const bytes of [record, record]) body.batch({ node: 1, stream: 0, slot: 0, count: 1, bytes });
      }),
    ).toThrow('two batches');
    const silent = frameRules({
      plan,
      slot: 1,
      slots: 2,
      nodeNumbers: [11, 12, 13],
      partitions: [],
      silentSinks: new Set([2]),
    });
    const body = new BundleBodyWriter();
    body.batch({ ...toSink, count: 1 });
    expect(() => silent.check(body.take(), { deliveredThrough: 0 })).toThrow('takes no rows');
  });

  it('refuse crowds before anything is made of them', () => {
    const crowd = (changes: number, batches: number, letters: number) =>
      written((w) => {
        w.u8(1);
        w.varint(changes);
        w.varint(0);
        w.varint(batches);
        w.varint(letters);
      });
    for (const body of [crowd(1e9, 0, 0), crowd(0, 1e9, 0), crowd(0, 0, 1e9), new Uint8Array(64 << 20)])
      expect(() => rules.check(body, { deliveredThrough: 0 })).toThrow(/at most|in no room/);
  });

  it('H5: whatever of a mutated bundle is taken, the host can read to its end', async () => {
    const paged = await PagedStore.open(new MemoryStore());
    const writer = new BundleBodyWriter();
    writer.put(spaceOf(12, 'state'), own, value({ a: 1 }));
    writer.put(META_SPACE, metaKeys.source(11, 'a/b'), value(source));
    writer.put(META_SPACE, metaKeys.counters(1, 12), encodeCounters(zeroCounters()));
    writer.put(META_SPACE, metaKeys.delivered(1), position(7));
    writer.put(META_SPACE, metaKeys.named(1, 12), encodeNamedSums({ sums: new Map([['bids', 2]]), cut: 1 }));
    writer.put(META_SPACE, metaKeys.stream(1, 's_0'), encodeStreamCount({ produced: 3, delivered: 2 }));
    writer.batch({ node: 1, stream: 0, slot: 0, count: 1, bytes: record });
    writer.batch({ ...toSink, count: 2, bytes: Buffer.concat([row('{"a":1}'), row('{}')]) });
    writer.deadLetter(JSON.stringify(letter));
    const whole = writer.take();
    let taken = 0;
    const readAll = (bytes: Uint8Array): void => {
      let body: BundleBody;
      try {
        body = rules.check(bytes, { deliveredThrough: 7 });
      } catch {
        return;
      }
      taken++;
      paged.apply(taken, body, (key, bytes) => {
        const text = Buffer.from(key).toString();
        if (text.startsWith('counters/')) decodeCounters(bytes as Uint8Array);
        else if (text.startsWith('named/')) decodeNamedSums(bytes as Uint8Array);
        else if (text.startsWith('stream/')) decodeStreamCount(bytes as Uint8Array);
        else if (text.startsWith('delivered/'))
          expect(new ByteReader(bytes as Uint8Array).f64()).toBeLessThanOrEqual(7);
        else decodeValue(new ByteReader(bytes as Uint8Array));
      });
      for (const { node, count, bytes } of body.batches) {
        const r = new ByteReader(bytes);
        for (let left = node === 2 ? count : 0; left > 0; left--) decodeSinkRow(r);
        expect(node !== 2 || r.done).toBe(true);
      }
    };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat(whole.length), { freq: 4 }),
        (mutations, cut) => {
          const bytes = whole.slice(0, cut ?? whole.length);
          for (const [at, byte] of mutations) if (at < bytes.length) bytes[at] = byte;
          readAll(bytes);
        },
      ),
      { numRuns: 3_000 },
    );
    // About 120 of the 3,000 are taken, by chance; a handful would prove nothing.
    expect(taken).toBeGreaterThan(30);
    await paged.fold(0, { undelivered: [], delivered: [] }, 0);
  });

  it('refuse dead letters that are no dead letters', () => {
    for (const bad of [
      null,
      [],
      'x',
      {},
      { ...letter, node: 1 },
      { ...letter, key: 1 },
      { ...letter, timestamp: 'soon' },
      { ...letter, state: {} },
      { ...letter, attempts: 'many' },
      { ...letter, version: -1 },
      { ...letter, node: 'n_elsewhere' },
      { ...letter, more: 'x' },
    ])
      expect(deadLetter(bad)).toThrow();
    expect(check((body) => body.deadLetter('{'))).toThrow();
  });
});
