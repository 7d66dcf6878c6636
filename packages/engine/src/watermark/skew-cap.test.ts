import type { Watermark } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { cappedInjectors, waitingForOthers } from './skew-cap.ts';

const plan = planOf(
  [
    { id: 'a', kind: 'injector' },
    { id: 'b', kind: 'injector' },
    { id: 'c', kind: 'injector' },
    { id: 'd', kind: 'injector' },
    { id: 'clean', kind: 'computation' },
    { id: 'join', kind: 'computation' },
    { id: 'out', kind: 'sink' },
    { id: 'other', kind: 'sink' },
  ],
  [
    { from: 'a', to: 'clean' },
    { from: 'clean', to: 'join' },
    { from: 'b', to: 'join' },
    { from: 'c', to: 'join' },
    { from: 'join', to: 'out' },
    { from: 'd', to: 'other' },
  ],
);
const [a, b, c, d] = [0, 1, 2, 3];
const at = (time: number): Watermark => ({ kind: 'at', time });

/** Who waits, and how far ahead it is. */
function waiting(caps: Record<number, number>, watermarks: readonly Watermark[]) {
  const capped = cappedInjectors(plan, ({ index }) => caps[index]);
  return Object.fromEntries(waitingForOthers(capped, (node) => watermarks[node] as Watermark));
}

describe('the skew cap', () => {
  it('W10: an injector further ahead of the slowest than its cap waits; at the cap it does not', () => {
    expect(waiting({ [a]: 100 }, [at(101), at(0), at(50), at(0)])).toEqual({ [a]: 101 });
    expect(waiting({ [a]: 100 }, [at(100), at(0), at(50), at(0)])).toEqual({});
  });

  it('SK1: the slowest never waits, whatever the caps', () => {
    const caps = { [a]: 0, [b]: 0, [c]: 0 };
    expect(waiting(caps, [at(3), at(2), at(1), at(0)])).toEqual({ [a]: 2, [b]: 1 });
    expect(waiting(caps, [at(1), at(1), at(1), at(0)])).toEqual({});
  });

  it('SK2: nobody waits for an injector that it is not joined with', () => {
    expect(waiting({ [d]: 0, [a]: 100 }, [at(50), at(0), at(0), at(1_000)])).toEqual({});
  });

  it('SK3: what is idle or has ended is not waited for; what has not reported is', () => {
    const ended: Watermark = { kind: 'ended' };
    const idle: Watermark = { kind: 'idle', time: 0 };
    expect(waiting({ [a]: 10 }, [at(1_000), idle, ended, at(0)])).toEqual({});
    expect(waiting({ [a]: 10 }, [at(1_000), { kind: 'not-yet' }, ended, at(0)])).toEqual({ [a]: Infinity });
    expect(waiting({ [a]: 10 }, [{ kind: 'not-yet' }, at(0), at(0), at(0)])).toEqual({});
  });
});
