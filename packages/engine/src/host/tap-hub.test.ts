import type { SampledRecord, TapLimits } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { type TapBatch, TapHub } from './tap-hub.ts';

const record = (n: number, text = String(n)): SampledRecord => ({
  key: '',
  timestamp: n,
  id: String(n),
  pane: undefined,
  text,
  cut: false,
  way: [],
});
const records = (count: number) => Array.from({ length: count }, (_, n) => record(n));
const LIMITS = { recordsPerSecond: 10, charsPerSecond: 1_000 };

function setUp(always?: TapLimits) {
  const clock = { time: 0 };
  const asked: [number, number][] = [];
  const hub = new TapHub({
    streams: ['s_0', 's_1', 's_2'],
    set: (stream, { recordsPerSecond }) => asked.push([stream, recordsPerSecond]),
    now: () => clock.time,
    always,
  });
  const heard: TapBatch[] = [];
  const open = (streams: number[], limits: TapLimits = LIMITS) =>
    hub.open(streams, limits, (batch) => heard.push(batch));
  return { clock, asked, hub, heard, open };
}

describe('taps in the host', () => {
  it('TH1: asks workers for the largest limit of a stream, and for nothing when the last tap closes', () => {
    const { asked, open } = setUp();
    const small = open([0, 1]);
    const large = open([1], { recordsPerSecond: 1e9, charsPerSecond: 1 });
    large.close();
    small.close();
    expect(asked).toEqual([
      [0, 10],
      [1, 10],
      [1, 2_000],
      [1, 10],
      [0, 0],
      [1, 0],
    ]);
  });

  it('tells a worker that was started again what is watched', () => {
    const { hub, open } = setUp();
    open([2]);
    const set: number[] = [];
    hub.prime((stream) => set.push(stream));
    expect(set).toEqual([2]);
  });

  it('TH2: throws away what nobody watches, and streams that do not exist', () => {
    const { hub, heard, open } = setUp();
    const tap = open([0, 7]);
    hub.take([{ stream: 1, seen: 1, records: records(1) }]);
    hub.take([{ stream: 7, seen: 1, records: records(1) }]);
    tap.close();
    hub.take([{ stream: 0, seen: 1, records: records(1) }]);
    expect(heard).toEqual([]);
  });

  it('TH3: passes no more than a tap may have in a second, from however many workers, and counts all', () => {
    const { clock, hub, heard, open } = setUp();
    open([0]);
    for (let i = 0; i < 4; i++) hub.take([{ stream: 0, seen: 50, records: records(6) }]);
    clock.time = 1_000;
    hub.take([{ stream: 0, seen: 50, records: records(6) }]);
    expect(heard.map((batch) => batch.records.length)).toEqual([6, 4, 0, 0, 6]);
    expect(heard.reduce((sum, { seen }) => sum + seen, 0)).toBe(250);
  });

  it('TH4: a tap begins with the latest records before it was opened, of which few are kept', () => {
    const { hub, heard, open } = setUp({ recordsPerSecond: 5, charsPerSecond: 1_000 });
    for (let i = 0; i < 100; i++) hub.take([{ stream: 0, seen: 9, records: records(5) }]);
    hub.take([{ stream: 1, seen: 9, records: [record(1, 'x'.repeat(600_000)), record(2)] }]);
    open([0, 1]);
    expect(heard.map(({ stream, earlier, records }) => [stream, earlier, records.length])).toEqual([
      [0, true, 200],
      [1, true, 1],
    ]);
    // What a record was made of is for whoever asks for its trace.
    expect(heard[1]?.records[0]).not.toHaveProperty('way');
  });
});
