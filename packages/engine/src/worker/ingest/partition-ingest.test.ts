import type { Chunk, SourceMark } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { FrameIntake } from '../frame-intake.ts';
import { type IngestOptions, PartitionIngest } from './partition-ingest.ts';

class Rig {
  now = 1_000_000;
  readonly partition: PartitionIngest;
  offset = 0;
  sequence = 0;

  constructor(options: Partial<IngestOptions> = {}, mark?: SourceMark) {
    this.partition = new PartitionIngest(
      'p',
      {
        format: 'jsonl',
        columns: undefined,
        delimiter: undefined,
        timestampRule: { unit: 'ms', zone: 'UTC' },
        slackMs: 0,
        exact: false,
        futureBoundMs: undefined,
        timestamp: (value) => value,
        value: undefined,
        now: () => this.now,
        beforeRecord: () => undefined,
        ...options,
      },
      mark,
    );
  }

  lines(...values: unknown[]): this {
    const bytes = new TextEncoder().encode(values.map((each) => `${JSON.stringify(each)}\n`).join(''));
    this.partition.push({ kind: 'bytes', offset: this.offset, bytes }, ++this.sequence);
    this.offset += bytes.length;
    return this;
  }

  drain(): unknown[] {
    const found: unknown[] = [];
    this.partition.beginReading();
    for (let item = this.partition.next(); item !== undefined; item = this.partition.next())
      found.push(
        item.kind === 'record' ? item.timestamp : 'future' in item && item.future ? 'future' : 'broken',
      );
    this.partition.settle();
    return found;
  }
}

describe('PartitionIngest', () => {
  it('W6: its watermark is the largest time seen less the slack, "not yet" before any', () => {
    const rig = new Rig({ slackMs: 10 });
    expect(rig.partition.watermark).toEqual({ kind: 'not-yet' });
    rig.lines(100, -5, 50).drain();
    expect(rig.partition.watermark).toEqual({ kind: 'at', time: 90 });
  });

  it('W6: an exact one promises nothing before its end', () => {
    const rig = new Rig({ exact: true });
    rig.lines(100).drain();
    expect(rig.partition.watermark).toEqual({ kind: 'not-yet' });
    rig.partition.push({ kind: 'ended' }, ++rig.sequence);
    rig.drain();
    expect(rig.partition.watermark).toEqual({ kind: 'ended' });
  });

  it('W6: is idle when its source is silent and all before that is read, and active again with a record', () => {
    const rig = new Rig();
    rig.lines(7);
    rig.partition.push({ kind: 'idle' }, ++rig.sequence);
    expect(rig.partition.watermark).toEqual({ kind: 'not-yet' });
    rig.drain();
    expect(rig.partition.watermark).toEqual({ kind: 'idle', time: 7 });
    rig.lines(3).drain();
    expect(rig.partition.watermark).toEqual({ kind: 'at', time: 7 });
    rig.partition.push({ kind: 'idle' }, ++rig.sequence);
    rig.lines(8).drain();
    expect(rig.partition.watermark).toEqual({ kind: 'at', time: 8 });
  });

  it('W6: ends when all before its end is read, also one that had nothing', () => {
    const rig = new Rig();
    rig.lines(1);
    rig.partition.push({ kind: 'ended' }, ++rig.sequence);
    expect(rig.partition.watermark).toEqual({ kind: 'not-yet' });
    rig.drain();
    expect(rig.partition.watermark).toEqual({ kind: 'ended' });
    const empty = new Rig();
    empty.partition.push({ kind: 'ended' }, 1);
    empty.drain();
    expect([empty.partition.watermark, empty.partition.takeMark()]).toMatchObject([
      { kind: 'ended' },
      { ended: true },
    ]);
  });

  it('R121: the first record tells that its time may be in another unit, and no other does', () => {
    const told: string[] = [];
    const rig = new Rig({ doubted: (message) => told.push(message) });
    rig.now = Date.UTC(2026, 0, 1);
    expect(rig.lines(1_436_918_400, 1_436_918_401, 5).drain()).toHaveLength(3);
    expect(told).toEqual([expect.stringContaining('in s it would be 2015-07-15T00:00:00.000Z')]);
  });

  it('W7: a record beyond the future bound is set aside and does not pin the watermark', () => {
    const rig = new Rig({ futureBoundMs: 10 });
    expect(rig.lines(5, rig.now + 11, rig.now + 10).drain()).toEqual([5, 'future', rig.now + 10]);
    const off = new Rig();
    expect(off.lines(8e15).drain()).toEqual([8e15]);
  });

  it('W7: missing and impossible times are broken records; neighbours are not affected', () => {
    expect(new Rig().lines(1, null, 'x', 1e20, {}, 2).drain()).toEqual([
      1,
      'broken',
      'broken',
      'broken',
      'broken',
      2,
    ]);
  });

  it('P8: what must not run again is set aside before any code sees it', () => {
    const rig = new Rig({ beforeRecord: (position) => (position === 2 ? new Error('poison') : undefined) });
    expect(rig.lines(1, 2, 3).drain()).toEqual([1, 'broken', 3]);
  });

  it('PI1: a mark keeps the offset, the largest time and the end; nothing moved is no mark', () => {
    const rig = new Rig();
    rig.lines(9, 4).drain();
    const mark = rig.partition.takeMark() as SourceMark;
    expect([mark, rig.partition.takeMark()]).toMatchObject([
      { offset: 4, largest: 9, ended: false },
      undefined,
    ]);
    expect(new Rig({}, mark).partition.watermark).toEqual({ kind: 'at', time: 9 });
  });

  describe('of a table', () => {
    const chunks = (rig: Rig, ...given: Chunk[]) => {
      for (const chunk of given) {
        if (chunk.kind === 'bytes') rig.offset += chunk.bytes.length;
        rig.partition.push(chunk, ++rig.sequence);
      }
    };
    const version = (time: number, end: number) => ({ kind: 'version', time, end }) as const;
    const reached = (time: number) => ({ kind: 'reached', time }) as const;
    const rows = (rig: Rig): unknown[] => {
      const found: unknown[] = [];
      rig.partition.beginReading();
      for (let item = rig.partition.next(); item !== undefined; item = rig.partition.next())
        if (item.kind === 'record')
          found.push([item.value, item.timestamp, item.pane?.start, item.pane?.end]);
      return found;
    };
    const EVER = Number.MIN_SAFE_INTEGER;
    /** Until it is said to have gone. */
    const ON = Number.MAX_SAFE_INTEGER;

    it('TR1: rows stand from where the last version was whole; the watermark follows whole versions', () => {
      const rig = new Rig({ timestamp: undefined });
      chunks(rig, version(100, 200));
      rig.lines('a', 'b');
      expect([rows(rig), rig.partition.watermark.kind]).toEqual([
        [
          ['a', 100, EVER, ON],
          ['b', 100, EVER, ON],
        ],
        'not-yet',
      ]);
      chunks(rig, reached(110));
      expect([rows(rig), rig.partition.watermark]).toEqual([[], { kind: 'at', time: 110 }]);
      chunks(rig, reached(200), version(205, 305));
      rig.lines('c', 'b');
      expect([rows(rig), rig.partition.watermark]).toEqual([
        [['c', 205, 200, ON]],
        { kind: 'at', time: 200 },
      ]);
      chunks(rig, reached(210));
      expect([rows(rig), rig.partition.watermark]).toEqual([
        [['a', 200, EVER, 200]],
        { kind: 'at', time: 210 },
      ]);
    });

    it('TR1: versions that came together are read one behind the other, each by itself', () => {
      const rig = new Rig({ timestamp: undefined, format: 'csv' });
      const bytes = (text: string) =>
        ({ kind: 'bytes', offset: rig.offset, bytes: new TextEncoder().encode(text) }) as const;
      chunks(rig, version(100, 200), bytes('a\n1'));
      chunks(rig, reached(100), version(200, 300), bytes('b\n2\n'), bytes('3'));
      chunks(rig, reached(250), reached(260));
      expect(rig.partition.unfinished).toBe(2);
      expect(rows(rig)).toEqual([
        [{ a: '1' }, 100, EVER, ON],
        [{ b: '2' }, 200, 200, ON],
        [{ b: '3' }, 200, 200, ON],
        [{ a: '1' }, 200, EVER, 200],
      ]);
      expect([rig.partition.watermark, rig.partition.unfinished]).toEqual([
        { kind: 'at', time: 260 },
        undefined,
      ]);
    });

    it('PI1: goes on with a reading of its own behind a mark, and behind a reading that broke off', () => {
      const rig = new Rig({ timestamp: undefined, format: 'csv' });
      const bytes = (text: string) =>
        ({ kind: 'bytes', offset: rig.offset, bytes: new TextEncoder().encode(text) }) as const;
      chunks(rig, version(100, 200), bytes('a\n1\n'), reached(150), version(200, 300), bytes('x\n5\n"6'));
      expect(rows(rig)).toHaveLength(2);
      const mark = rig.partition.takeMark() as SourceMark;
      expect(mark.largest).toBe(150);
      chunks(rig, version(210, 310), bytes('a\n7'), reached(211));
      expect(rows(rig)).toEqual([
        [{ a: '7' }, 210, 200, ON],
        [{ x: '5' }, 200, 200, 200],
        [{ a: '1' }, 200, EVER, 200],
      ]);
      const again = new Rig({ timestamp: undefined, format: 'csv' }, mark);
      again.offset = mark.offset;
      chunks(again, version(400, 500), { ...bytes('b\n8'), offset: mark.offset }, reached(400));
      expect(rows(again)).toEqual([[{ b: '8' }, 400, 200, ON]]);
    });

    it('W6: an empty one moves the watermark, too, and one that is read once ends', () => {
      const rig = new Rig({ timestamp: undefined });
      chunks(rig, version(100, 200), reached(120));
      expect([rows(rig), rig.partition.watermark]).toEqual([[], { kind: 'at', time: 120 }]);
      const once = new Rig({ timestamp: undefined });
      chunks(once, version(100, Number.MAX_SAFE_INTEGER));
      once.lines('a');
      chunks(once, { kind: 'ended' });
      expect([rows(once), once.partition.watermark]).toEqual([[['a', 100, EVER, ON]], { kind: 'ended' }]);
    });
  });

  it('ordinals: each is made once with its time; a maker that throws or makes no data breaks that one alone', () => {
    const rig = new Rig({
      format: 'ordinals',
      timestamp: undefined,
      value: (n) => {
        if (n === 1) throw new Error('no');
        return n === 2 ? { f: () => 1 } : { n };
      },
    });
    rig.partition.push({ kind: 'ordinals', first: 0, count: 4, time: 100, everyMs: 2.5 }, 1);
    expect(rig.drain()).toEqual([100, 'broken', 'broken', 107]);
    expect(rig.partition.takeMark()?.offset).toBe(4);
  });
});

describe('FrameIntake', () => {
  it('FI1: names no frame of which a record is still to come, in whatever order partitions are read', () => {
    const [a, b] = [new Rig(), new Rig()];
    const intake = new FrameIntake({
      partition: (node) => (node === 0 ? a.partition : b.partition),
      deliver: () => 1,
      watermarks: () => undefined,
      intervals: () => undefined,
      inherit: () => undefined,
      finalWall: () => undefined,
      table: () => undefined,
    });
    const chunk = (sequence: number, node: number, offset: number) =>
      intake.push({
        kind: 'chunk',
        sequence,
        node,
        partition: 0,
        chunk: { kind: 'bytes', offset, bytes: new TextEncoder().encode('1\n2\n') },
      });
    chunk(1, 0, 0);
    chunk(2, 1, 0);
    chunk(3, 0, 4);
    intake.push({ kind: 'tick', sequence: 4 });
    expect(intake.finished).toBe(0);
    intake.take(1000);
    expect([intake.empty, intake.finished]).toEqual([true, 0]);
    b.drain();
    expect(intake.finished).toBe(0);
    a.partition.next();
    expect(intake.finished).toBe(0);
    a.partition.next();
    expect(intake.finished).toBe(2);
    a.drain();
    expect(intake.finished).toBe(4);
  });
});
