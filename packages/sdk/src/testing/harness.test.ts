import { describe, expect, it } from 'vitest';
import { computation } from '../index.ts';
import { harness, NotRepeatableError } from './index.ts';

interface In {
  words: string;
}
interface Out {
  counts: { word: string; n: number };
}

const counting = computation<In, Out, number>({
  processRecord(record, ctx) {
    const n = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(n);
    ctx.setTimer('tell', record.timestamp + 10, { hold: record.timestamp + 5 });
    ctx.produce('counts', { word: record.value, n });
  },
  processTimer(_timer, ctx) {
    ctx.produce('counts', { word: 'timer', n: ctx.state.get() ?? 0 });
    ctx.state.clear();
  },
});

describe('harness', () => {
  it('feeds records and watermarks, and compares what came since the last expect', () => {
    harness(counting)
      .record('words', 'k', 'a', 1)
      .record({ stream: 'words', key: 'k', value: 'b', timestamp: 2 })
      .expect('counts', [
        { value: { word: 'a', n: 1 } },
        { value: { word: 'b', n: 2 }, key: 'k', timestamp: 2 },
      ])
      .watermark(11)
      .expect('counts', [])
      .watermark(12)
      .expect('counts', [{ value: { word: 'timer', n: 2 }, timestamp: 7 }]);
  });

  it('shows state, timers, keys and the output watermark with its holds (W1, W2)', () => {
    const subject = harness(counting).record('words', 'k', 'a', 1).restart();
    expect(subject.state('k')).toBe(1);
    expect(subject.timers('k')).toEqual([{ tag: 'tell', time: 11, clock: 'watermark', hold: 6 }]);
    expect(subject.watermark(9).outputWatermark).toBe(6);
    expect(subject.watermark(20).outputWatermark).toBe(20);
    expect(subject.keys()).toEqual([]);
    expect(subject.timers('k')).toEqual([]);
  });

  it('names what is missing, unexpected and out of order', () => {
    const subject = () => harness(counting).record('words', 'k', 'a', 1).record('words', 'k', 'b', 2);
    expect(() => subject().expect('counts', [{ value: { word: 'a', n: 1 } }])).toThrow(/not expected.*"b"/);
    expect(() =>
      subject().expect('counts', [{ value: { word: 'b', n: 2 } }, { value: { word: 'a', n: 1 } }]),
    ).toThrow(/out of order/);
    expect(() =>
      subject().expect('counts', [
        { value: { word: 'a', n: 1 } },
        { value: { word: 'b', n: 2 } },
        { value: { word: 'c', n: 3 } },
      ]),
    ).toThrow(/expected but not produced.*"c"/);
  });

  it('P11: records of two keys have no order, and a record that names little leaves the rest to others', () => {
    harness(counting)
      .record('words', 'x', 'a', 1)
      .record('words', 'y', 'a', 1)
      .expect('counts', [{ value: { word: 'a', n: 1 } }, { value: { word: 'a', n: 1 }, key: 'x' }]);
  });

  it('P2: state kept in a closure is caught at the step that reads it', () => {
    let n = 0;
    const leaky = computation<In, Out>({
      processRecord(record, ctx) {
        n += 1;
        ctx.produce('counts', { word: record.value, n });
      },
    });
    expect(() => harness(leaky).record('words', 'k', 'a', 1)).toThrow(NotRepeatableError);
    expect(() => harness(leaky, { isolated: false }).record('words', 'k', 'a', 1)).not.toThrow();
  });

  it('P2: with a function every run of a step has a new instance, which forgets its closure', () => {
    const make = () => {
      let n = 0;
      return computation<In, Out>({
        processRecord(record, ctx) {
          n += 1;
          ctx.produce('counts', { word: record.value, n });
        },
      });
    };
    harness(make)
      .record('words', 'k', 'a', 1)
      .record('words', 'k', 'a', 2)
      .expect('counts', [{ value: { word: 'a', n: 1 } }, { value: { word: 'a', n: 1 } }]);
  });

  it('P8: an error of the handler is thrown, or collected as what is set aside; it leaves no trace', () => {
    const failing = computation<In, Out, number>({
      processRecord(record, ctx) {
        ctx.state.set(1);
        ctx.produce('counts', { word: record.value, n: 1 });
        if (record.value === 'bad') throw new Error('no good');
        if (record.value === 'null') throw null;
      },
    });
    expect(() => harness(failing).record('words', 'k', 'bad', 1)).toThrow('no good');
    expect(() => harness(failing).record('words', 'k', 'null', 1)).toThrow('threw null');
    const subject = harness(failing, { onError: 'collect' })
      .record('words', 'k', 'bad', 1)
      .expect('counts', []);
    expect(subject.keys()).toEqual([]);
    expect(subject.errors()).toMatchObject([{ input: 'record of "words" with key "k" at 1' }]);
    expect(subject.counter('deadLettered')).toBe(1);
  });

  it('W3, W6: a watermark that goes back and input after the end are refused', () => {
    expect(() => harness(counting).watermark(5).watermark(4)).toThrow(/cannot be moved back/);
    expect(() => harness(counting).watermark(Number.NaN)).toThrow(/no time/);
    expect(() => harness(counting).end().record('words', 'k', 'a', 1)).toThrow(/has ended/);
    expect(() => harness(counting).end().watermark(1)).toThrow(/has ended/);
  });

  it('P10: an async handler is waited for; its key waits, other keys go on', async () => {
    const gates = new Map<string, () => void>();
    const slow = computation<In, Out>({
      async processRecord(record, ctx) {
        if (record.value === 'slow') await new Promise<void>((resolve) => gates.set(ctx.key, resolve));
        ctx.produce('counts', { word: record.value, n: 1 });
      },
    });
    const subject = harness(slow).record('words', 'k', 'slow', 1).record('words', 'k', 'next', 2);
    subject.record('words', 'other', 'quick', 3).watermark(10);
    expect(() => subject.expect('counts', [])).toThrow(/in flight/);
    expect(subject.outputWatermark).toBe(1);
    await Promise.resolve();
    gates.get('k')?.();
    (await subject.settled()).expect('counts', [
      { key: 'other', value: { word: 'quick', n: 1 } },
      { key: 'k', value: { word: 'slow', n: 1 } },
      { key: 'k', value: { word: 'next', n: 1 } },
    ]);
    expect(subject.outputWatermark).toBe(10);
  });

  it('P12: what is fed is frozen: a write throws', () => {
    const writing = computation<{ in: { n: number } }, Out>({
      processRecord(record) {
        (record.value as { n: number }).n = 2;
      },
    });
    expect(() => harness(writing).record('in', 'k', { n: 1 }, 1)).toThrow(TypeError);
  });
});
