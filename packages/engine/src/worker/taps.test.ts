import { TAP_BOUNDS } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { emptyOutgoing, type Outgoing } from './router.ts';
import { Taps } from './taps.ts';

const producer = { computation: 'n_a', deriveId: (_: string, place: string, n: number) => `${place}@${n}` };

function record(ordinal: number, value: unknown = ordinal): Outgoing {
  return { ...emptyOutgoing(producer), value, origin: { id: '' }, ordinal, timestamp: ordinal };
}

/** Taps of so many streams, and the count the router keeps of each. */
function tapsOf(streams: number) {
  const produced = new Float64Array(streams);
  const taps = new Taps(produced, () => ({ timer: undefined, ancestors: [] }));
  const send = (stream: number, out: Outgoing, key: string) => {
    if ((produced[stream] as number) >= (taps.next[stream] as number)) taps.copy(stream, out, key);
    produced[stream] = (produced[stream] as number) + 1;
  };
  const bundle = (now: number, count: number, value?: unknown) => {
    taps.begin(now);
    for (let i = 0; i < count; i++) send(0, record(i, value ?? i), `k${i}`);
    return taps.take();
  };
  return { taps, send, bundle };
}

const LIMITS = { recordsPerSecond: 10, charsPerSecond: 10_000 };

describe('taps in a worker', () => {
  it('copies a record with its key, id and text', () => {
    const { taps, bundle } = tapsOf(2);
    taps.set(0, LIMITS);
    expect(bundle(0, 1, { a: 1n })).toEqual([
      {
        stream: 0,
        seen: 1,
        records: [
          { key: 'k0', timestamp: 0, id: 'n_a@0', pane: undefined, text: '{"a":1}', cut: false, way: [] },
        ],
      },
    ]);
  });

  it('TP2: copies no more in a second than its limits, and counts the rest', () => {
    const { taps, bundle } = tapsOf(1);
    taps.set(0, LIMITS);
    let shown = 0;
    let seen = 0;
    for (let now = 0; now <= 2_000; now += 20)
      for (const sample of bundle(now, 100)) {
        shown += sample.records.length;
        seen += sample.seen;
      }
    expect(seen).toBe(101 * 100);
    expect(shown).toBeGreaterThanOrEqual(20);
    expect(shown).toBeLessThanOrEqual(30);
  });

  it('TP2: a few huge records use up a second of text', () => {
    const { taps, bundle } = tapsOf(1);
    taps.set(0, { recordsPerSecond: 1_000, charsPerSecond: TAP_BOUNDS.charsPerSecond });
    const [sample] = bundle(0, 500, 'x'.repeat(10_000_000));
    expect(sample?.seen).toBe(500);
    expect(sample?.records.length).toBeLessThanOrEqual(2);
    expect(sample?.records[0]).toMatchObject({ cut: true });
  });

  it('TP2: a frame has room for a bounded text, however many streams are watched', () => {
    const { taps, send } = tapsOf(200);
    for (let s = 0; s < 200; s++) taps.set(s, { recordsPerSecond: 100, charsPerSecond: 1_000_000 });
    taps.begin(0);
    for (let i = 0; i < 20; i++) for (let s = 0; s < 200; s++) send(s, record(i, 'y'.repeat(60_000)), '');
    const records = taps.take().flatMap((sample) => sample.records);
    expect(records.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(TAP_BOUNDS.chars);
  });

  it('TP3: samples of a busy stream come from all over a bundle', () => {
    const { taps, bundle } = tapsOf(1);
    taps.set(0, { recordsPerSecond: 100, charsPerSecond: 1_000_000 });
    bundle(0, 1_000);
    const [sample] = bundle(1_000, 1_000);
    const places = sample?.records.map(({ timestamp }) => timestamp) ?? [];
    expect(places.length).toBeGreaterThan(50);
    expect(Math.max(...places)).toBeGreaterThan(800);
  });

  it('TP1: nothing is copied of a stream that is not watched, or no more', () => {
    const { taps, bundle } = tapsOf(1);
    expect(taps.active).toBe(false);
    taps.set(0, LIMITS);
    taps.set(0, { recordsPerSecond: 0, charsPerSecond: 0 });
    expect(taps.active).toBe(false);
    expect(bundle(0, 5)).toEqual([]);
    taps.set(9, LIMITS);
    expect(taps.active).toBe(false);
  });
});
