import type { SourceMark } from '@millrace/protocol';
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
      finalWall: () => undefined,
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
