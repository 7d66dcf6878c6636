import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeHostFrame, encodeHostFrame, type HostFrame, type WorkerConfiguration } from './host-frames.ts';
import { AWAY_SLOT, HASH_END, type IntervalChange } from './interval-change.ts';
import { decodeWatermark, encodeWatermark, sameWatermark, type Watermark } from './watermark-table.ts';
import { decodeWorkerFrame, encodeWorkerFrame, type WorkerFrame } from './worker-frames.ts';

const nat = fc.maxSafeNat();
const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: 'binary', maxLength: 80 });
const time = fc.maxSafeInteger();
const watermark: fc.Arbitrary<Watermark> = fc.oneof(
  fc.constantFrom<Watermark>({ kind: 'not-yet' }, { kind: 'ended' }, { kind: 'idle', time: undefined }),
  fc.record({ kind: fc.constantFrom('at' as const, 'idle' as const), time }),
);
const table = fc.array(watermark, { maxLength: 5 });
const whole = fc.maxSafeInteger();
const standing = fc.record({
  from: whole,
  until: whole,
  fresh: fc.array(fc.record({ index: nat, start: whole }), { maxLength: 3 }),
});
const entry = fc.record({ key: bytes, value: bytes });

const pane = fc.option(
  fc.record({
    start: time,
    end: time,
    index: fc.nat(),
    timing: fc.constantFrom('early' as const, 'on-time' as const, 'late' as const),
    last: fc.boolean(),
  }),
  { nil: undefined },
);
const tapFields = { key: text, timestamp: time, id: text, pane, text, cut: fc.boolean() };
const tapTimer = fc.record({
  tag: text,
  clock: fc.constantFrom('watermark' as const, 'wall' as const),
  time,
  armedBy: text,
});
const requiredKeys = ['key', 'timestamp', 'id', 'pane', 'text', 'cut'] as const;
const tapRecord = fc.record(
  {
    ...tapFields,
    timer: tapTimer,
    way: fc.array(
      fc.record(
        { ...tapFields, timer: tapTimer, stream: nat },
        { requiredKeys: [...requiredKeys, 'stream'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [...requiredKeys, 'way'] },
);

const configuration: WorkerConfiguration = {
  plan: { nodes: [{ id: 'n_é\u0000' }] },
  slot: 1,
  slots: 3,
  nodeNumbers: [1, 2],
  egress: [null, 'line'],
  ingest: [null],
  partitions: [{ node: 0, partition: 2, name: 'a/b' }],
  emptyNodes: [],
  farNodes: [],
  timersInMemory: 1_000,
  version: 7,
  careful: true,
  poison: { x: 'why' },
  cacheBytes: 1,
};

const hostFrame: fc.Arbitrary<HostFrame> = fc.oneof(
  fc.record({ kind: fc.constant('tap' as const), stream: nat, recordsPerSecond: nat, charsPerSecond: nat }),
  fc.record({
    kind: fc.constant('configure' as const),
    configuration: fc.constant(configuration),
    code: text,
  }),
  fc.record({
    kind: fc.constant('restore' as const),
    entries: fc.array(fc.record({ space: nat, key: bytes, value: bytes }), { maxLength: 3 }),
    last: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('chunk' as const),
    sequence: nat,
    node: nat,
    partition: nat,
    chunk: fc.oneof(
      fc.record({ kind: fc.constant('bytes' as const), offset: nat, bytes }),
      fc.record({
        kind: fc.constant('ordinals' as const),
        first: nat,
        count: nat,
        time,
        everyMs: fc.double({ noNaN: true }),
      }),
      fc.record({ kind: fc.constant('version' as const), time, end: time }),
      fc.record({ kind: fc.constant('version' as const), time, end: time, same: fc.constant(true as const) }),
      fc.record({ kind: fc.constant('reached' as const), time }),
      fc.record({ kind: fc.constantFrom('idle' as const, 'ended' as const) }),
    ),
  }),
  fc.record({
    kind: fc.constant('deliver' as const),
    sequence: nat,
    position: nat,
    channel: fc.integer({ min: 0, max: 0xffff }),
    batches: fc.array(fc.record({ node: nat, stream: nat, count: nat, bytes }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('watermarks' as const),
    sequence: nat,
    slot: nat,
    lowered: fc.boolean(),
    table,
  }),
  fc.record({
    kind: fc.constant('intervals' as const),
    sequence: nat,
    change: fc.constant<IntervalChange>({
      step: 4,
      tables: [null, [[0, 1] as const, [77, AWAY_SLOT] as const]],
      frozen: [1],
      held: [],
      gives: { nodes: [1], start: 77, end: HASH_END },
      through: 3,
    }),
  }),
  fc.record({
    kind: fc.constant('inherit' as const),
    sequence: nat,
    watermarks: fc.constant([{ node: 1, in: 5, out: 4, inputEnded: false, mayStay: false }]),
    farNodes: fc.array(nat, { maxLength: 2 }),
    entries: fc.array(fc.record({ space: nat, key: bytes, value: bytes }), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('tick' as const), sequence: nat }),
  fc.record({ kind: fc.constant('table' as const), sequence: nat, node: nat, standing }),
  fc.record({ kind: fc.constant('final-wall' as const), sequence: nat, limit: fc.constantFrom(Infinity, 5) }),
  fc.record({ kind: fc.constant('committed' as const), bundleNumber: nat }),
  fc.record({
    kind: fc.constant('trial' as const),
    number: nat,
    node: nat,
    watermark,
    entries: fc.array(fc.record({ space: nat, key: bytes, value: bytes }), { maxLength: 3 }),
    poison: fc.constantFrom<Record<string, string>>({}, { 'n|é': 'why' }),
    tables: fc.dictionary(fc.constantFrom('0', '7'), standing, { noNullPrototype: true }),
  }),
  fc.record({ kind: fc.constant('cleared' as const), number: nat, through: nat }),
  fc.record({ kind: fc.constant('condemned' as const), input: text, reason: text }),
  fc.record({ kind: fc.constant('trusted' as const), held: fc.boolean() }),
  fc.record({
    kind: fc.constant('fetched' as const),
    request: nat,
    results: fc.array(fc.record({ entries: fc.array(entry, { maxLength: 3 }), complete: fc.boolean() }), {
      maxLength: 3,
    }),
  }),
);

const workerFrame: fc.Arbitrary<WorkerFrame> = fc.oneof(
  fc.record({ kind: fc.constant('effort' as const), spentMs: fc.array(nat, { maxLength: 5 }) }),
  fc.record({
    kind: fc.constant('hot-keys' as const),
    reports: fc.array(
      fc.record({
        node: nat,
        sampled: nat,
        keys: fc.array(fc.record({ key: fc.string(), count: nat }), { maxLength: 5 }),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('taps' as const),
    bundleNumber: nat,
    samples: fc.array(fc.record({ stream: nat, seen: nat, records: fc.array(tapRecord, { maxLength: 3 }) }), {
      maxLength: 3,
    }),
  }),
  fc.constant<WorkerFrame>({ kind: 'ready' }),
  fc.record({ kind: fc.constant('failed' as const), node: text, message: text, stack: text }),
  fc.record({
    kind: fc.constant('bundle' as const),
    bundleNumber: nat,
    throughSequence: nat,
    watermarks: table,
    body: bytes,
  }),
  fc.record({
    kind: fc.constant('status' as const),
    throughSequence: nat,
    bundlesSent: nat,
    pending: fc.boolean(),
    waiting: nat,
    running: nat,
    wakeAt: fc.option(time, { nil: undefined }),
    nextWallTimer: fc.option(time, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('fetch' as const),
    request: nat,
    scans: fc.array(fc.record({ space: nat, prefix: bytes, limit: nat }), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('progress' as const), input: text }),
  fc.record({ kind: fc.constant('suspect' as const), number: nat, node: nat, prefix: bytes, watermark }),
  fc.record({ kind: fc.constant('tried' as const), number: nat, spent: fc.boolean() }),
  fc.record({
    kind: fc.constant('logs' as const),
    lines: fc.array(
      fc.record({ node: text, level: fc.constantFrom('info', 'warn'), key: text, text, time, at: text }),
      { maxLength: 3 },
    ),
    cut: nat,
  }),
);

describe('frames', () => {
  it('of the host round-trip, each kind', () => {
    fc.assert(
      fc.property(hostFrame, (frame) => {
        expect(decodeHostFrame(encodeHostFrame(frame))).toEqual(frame);
      }),
      { numRuns: 400 },
    );
  });

  it('of the worker round-trip, each kind', () => {
    fc.assert(
      fc.property(workerFrame, (frame) => {
        expect(decodeWorkerFrame(encodeWorkerFrame(frame))).toEqual(frame);
      }),
      { numRuns: 400 },
    );
  });

  it('of a hostile worker, cut or lengthened, are MalformedBytes', () => {
    fc.assert(
      fc.property(workerFrame, fc.nat(), (frame, at) => {
        const whole = encodeWorkerFrame(frame);
        if (whole.length > 1)
          expect(() => decodeWorkerFrame(whole.subarray(0, at % whole.length))).toThrow(MalformedBytes);
        expect(() => decodeWorkerFrame(Uint8Array.of(...whole, 7))).toThrow(MalformedBytes);
      }),
      { numRuns: 300 },
    );
  });

  it('of a hostile worker, mutated, are a frame or MalformedBytes', () => {
    fc.assert(
      fc.property(
        workerFrame,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
        (frame, mutations) => {
          const whole = encodeWorkerFrame(frame).slice();
          for (const [at, byte] of mutations) whole[at % whole.length] = byte;
          try {
            decodeWorkerFrame(whole);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBytes);
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  it('with log lines that are no lines are MalformedBytes', () => {
    for (const json of ['null', '{}', '[null]', 'x', '[{"node":{"toString":1}}]']) {
      const w = new ByteWriter();
      w.u8(6);
      w.text(json);
      w.varint(0);
      expect(() => decodeWorkerFrame(w.take())).toThrow(MalformedBytes);
    }
  });

  it('W4: a watermark of no known state, or at no time, is MalformedBytes rather than "not yet"', () => {
    const nan = new ByteWriter();
    nan.u8(1);
    nan.f64(Number.NaN);
    expect(() => decodeWatermark(new ByteReader(nan.take()))).toThrow(MalformedBytes);
    expect(() => decodeWatermark(new ByteReader(Uint8Array.of(5)))).toThrow(MalformedBytes);
  });

  it('W4: the states of a watermark stay apart: "idle" without a time is not "not yet", nor 0', () => {
    fc.assert(
      fc.property(watermark, watermark, (a, b) => {
        const w = new ByteWriter();
        encodeWatermark(w, a);
        const back = decodeWatermark(new ByteReader(w.take()));
        expect(sameWatermark(back, a)).toBe(true);
        expect(sameWatermark(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});
