import { ENDED, NOT_YET, type Watermark } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WatermarkCoalescer } from './coalescer.ts';

const at = (time: number): Watermark => ({ kind: 'at', time });
const idle = (time?: number): Watermark => ({ kind: 'idle', time });

/** Feeds `[input, watermark]` pairs and gives the output after each. */
function outputs(inputs: number, steps: readonly (readonly [number, Watermark])[]): Watermark[] {
  const coalescer = new WatermarkCoalescer(inputs);
  return steps.map(([input, watermark]) => coalescer.set(input, watermark));
}

describe('WatermarkCoalescer', () => {
  it('W3 (C49): of one input, passes on what rises and ignores what falls', () => {
    expect(
      outputs(1, [
        [0, at(25)],
        [0, at(18)],
        [0, at(42)],
      ]),
    ).toEqual([at(25), at(25), at(42)]);
  });

  it('WC1 (C50, C56): says nothing until every active input has a watermark', () => {
    expect(
      outputs(3, [
        [0, at(5)],
        [1, at(7)],
        [2, at(6)],
      ]),
    ).toEqual([NOT_YET, NOT_YET, at(5)]);
  });

  it('WC1: "not yet" is not zero: an input below zero counts like any other', () => {
    expect(
      outputs(2, [
        [0, at(10)],
        [1, at(-5)],
        [1, at(0)],
      ]),
    ).toEqual([NOT_YET, at(-5), at(0)]);
  });

  it('W1 (C51): is the minimum, also when inputs report more than once before the last one does', () => {
    expect(
      outputs(3, [
        [0, at(12)],
        [2, at(8)],
        [2, at(10)],
        [1, at(15)],
        [2, at(17)],
        [0, at(20)],
      ]),
    ).toEqual([NOT_YET, NOT_YET, NOT_YET, at(10), at(12), at(15)]);
  });

  it('WC2 (C52): an idle input does not hold', () => {
    expect(
      outputs(3, [
        [0, at(15)],
        [1, at(10)],
        [2, idle()],
        [1, at(18)],
        [0, at(20)],
      ]),
    ).toEqual([NOT_YET, NOT_YET, at(10), at(15), at(18)]);
  });

  it('WC2, WC4 (C53): follows the slowest as one after the other becomes idle', () => {
    expect(
      outputs(3, [
        [0, at(25)],
        [1, at(10)],
        [2, at(17)],
        [1, idle(10)],
        [2, idle(17)],
        [0, idle(25)],
      ]),
    ).toEqual([NOT_YET, NOT_YET, at(10), at(17), at(25), idle(25)]);
  });

  it('WC4 (C54): with all idle goes to the largest, then is idle', () => {
    expect(
      outputs(2, [
        [0, at(5)],
        [1, at(10)],
        [1, idle()],
        [0, idle()],
      ]),
    ).toEqual([NOT_YET, at(5), at(5), idle(10)]);
  });

  it('WC4: an idle input that is known only by its report counts with the time in it', () => {
    expect(
      outputs(2, [
        [0, idle(30)],
        [1, idle()],
      ]),
    ).toEqual([NOT_YET, idle(30)]);
    expect(outputs(1, [[0, idle()]])).toEqual([idle()]);
  });

  it('WC3 (C55): an input that comes back below the output is ignored until it has caught up', () => {
    expect(
      outputs(2, [
        [0, at(5)],
        [1, at(7)],
        [0, idle()],
        [0, at(6)],
        [1, at(8)],
        [0, at(8)],
        [1, at(12)],
        [0, at(9)],
      ]),
    ).toEqual([NOT_YET, at(5), at(7), at(7), at(8), at(8), at(8), at(9)]);
  });

  it('WC3 (C57): what an idle input last said does not raise the output while it is idle', () => {
    expect(
      outputs(2, [
        [0, at(5)],
        [1, at(7)],
        [1, idle(100)],
        [0, at(6)],
      ]),
    ).toEqual([NOT_YET, at(5), at(5), at(6)]);
  });

  it('WC4: an ended input does not hold and stays ended; all ended is ended', () => {
    expect(
      outputs(2, [
        [0, at(5)],
        [1, ENDED],
        [1, at(1)],
        [1, idle(9)],
        [0, ENDED],
        [0, idle(9)],
      ]),
    ).toEqual([NOT_YET, at(5), at(5), at(5), ENDED, ENDED]);
    expect(new WatermarkCoalescer(0).output).toEqual(ENDED);
  });

  it('W3: starts no lower than an earlier incarnation had come', () => {
    const coalescer = new WatermarkCoalescer(2);
    coalescer.restore(50);
    expect(coalescer.output).toEqual(at(50));
    coalescer.restore(40);
    expect([coalescer.set(0, at(10)), coalescer.set(1, at(20)), coalescer.set(0, at(60))]).toEqual([
      at(50),
      at(50),
      at(50),
    ]);
    expect(coalescer.set(1, at(55))).toEqual(at(55));
  });

  /** Two inputs in every pair of states: what the output is, from nothing. */
  const truthTable: Record<string, Watermark> = {
    'not-yet not-yet': NOT_YET,
    'not-yet at': NOT_YET,
    'not-yet idle': NOT_YET,
    'not-yet ended': NOT_YET,
    'at at': at(1),
    'at idle': at(1),
    'at ended': at(1),
    'idle idle': idle(2),
    'idle ended': idle(1),
    'ended ended': ENDED,
  };
  const states = (time: number): Watermark[] => [NOT_YET, at(time), idle(time), ENDED];
  for (const a of states(1))
    for (const b of states(2)) {
      const expected = truthTable[`${a.kind} ${b.kind}`];
      if (expected === undefined) continue;
      it(`W4: ${a.kind} with ${b.kind} is ${expected.kind}, in either order of report`, () => {
        expect(
          outputs(2, [
            [0, a],
            [1, b],
          ]).at(-1),
        ).toEqual(expected);
        expect(
          outputs(2, [
            [1, b],
            [0, a],
          ]).at(-1),
        ).toEqual(expected);
      });
    }

  const step = fc.tuple(
    fc.nat(2),
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -20, max: 60 }).map(at) },
      { weight: 1, arbitrary: fc.option(fc.integer({ min: -20, max: 60 }), { nil: undefined }).map(idle) },
      { weight: 1, arbitrary: fc.constant(NOT_YET) },
      { weight: 1, arbitrary: fc.constant(ENDED) },
    ),
  );

  it('W1, W3: never goes back, and never passes an active input that has caught up', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const coalescer = new WatermarkCoalescer(3);
        const kinds = ['not-yet', 'not-yet', 'not-yet'];
        const times: (number | undefined)[] = [];
        const behind = [false, false, false];
        let before: number | undefined;
        for (const [input, watermark] of steps) {
          const kind = kinds[input] as string;
          if (kind !== 'ended' && watermark.kind !== 'not-yet') {
            if (watermark.kind === 'at') {
              if (kind === 'idle') behind[input] = before !== undefined && watermark.time < before;
              if (kind !== 'at' || watermark.time > (times[input] as number)) times[input] = watermark.time;
              if (before === undefined || (times[input] as number) >= before) behind[input] = false;
            } else behind[input] = false;
            kinds[input] = watermark.kind;
          }
          coalescer.set(input, watermark);
          const floor = coalescer.time;
          if (floor !== undefined && before !== undefined) expect(floor).toBeGreaterThanOrEqual(before);
          if (kinds.includes('not-yet') && coalescer.output.kind !== 'not-yet')
            throw new Error('an output although an input has said nothing');
          if (floor !== undefined)
            kinds.forEach((each, i) => {
              if (each === 'at' && !behind[i]) expect(times[i]).toBeGreaterThanOrEqual(floor);
            });
          if (floor !== undefined) before = floor;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('WC5: frozen, nothing moves it; what was reported meanwhile counts afterwards', () => {
    const coalescer = new WatermarkCoalescer(2);
    coalescer.raise(0, 5);
    coalescer.raise(1, 7);
    coalescer.freeze(true);
    expect(coalescer.raise(0, 20)).toEqual({ kind: 'at', time: 5 });
    coalescer.set(0, { kind: 'ended' });
    expect(coalescer.set(1, { kind: 'ended' })).toEqual({ kind: 'at', time: 5 });
    coalescer.freeze(false);
    expect(coalescer.output).toEqual({ kind: 'ended' });
  });

  it('WA3: an input that is lowered holds what it had let go, and takes nothing back of the output', () => {
    const coalescer = new WatermarkCoalescer(2);
    coalescer.raise(0, 10);
    coalescer.raise(1, 50);
    coalescer.lower(1, { kind: 'at', time: 10 });
    expect(coalescer.raise(0, 90)).toEqual({ kind: 'at', time: 10 });
    expect(coalescer.raise(1, 60)).toEqual({ kind: 'at', time: 60 });
    coalescer.lower(1, { kind: 'at', time: 30 });
    expect(coalescer.output).toEqual({ kind: 'at', time: 60 });
  });
});
