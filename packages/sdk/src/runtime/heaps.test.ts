import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldSet } from './hold-set.ts';
import { KeyEntry, type TimerEntry } from './key-entry.ts';
import { TimerHeap } from './timer-heap.ts';

const owner = new KeyEntry('k', true);
const timer = (time: number, order: number): TimerEntry => ({
  owner,
  clock: 'watermark',
  tag: '',
  time,
  hold: undefined,
  order,
  armedBy: '',
  armOrdinal: 0,
  live: true,
  far: false,
  behind: undefined,
});

describe('HoldSet', () => {
  it('R3: its minimum is that of the multiset, whatever is added and removed', () => {
    const step = fc.tuple(fc.constantFrom('add', 'remove'), fc.integer({ min: -4, max: 4 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const holds = new HoldSet();
        const model: number[] = [];
        for (const [what, time] of steps) {
          const at = model.indexOf(time);
          if (what === 'add') {
            holds.add(time);
            model.push(time);
          } else if (at < 0) expect(() => holds.remove(time)).toThrow(/never added/);
          else {
            holds.remove(time);
            model.splice(at, 1);
          }
          if (time % 2 === 0) expect(holds.min()).toBe(model.length === 0 ? undefined : Math.min(...model));
        }
        expect(holds.min()).toBe(model.length === 0 ? undefined : Math.min(...model));
      }),
      { numRuns: 500 },
    );
  });
});

describe('TimerHeap', () => {
  it('T2: gives live timers by time, those of one time in the order of arming', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.boolean())), (armed) => {
        const heap = new TimerHeap();
        const timers = armed.map(([time], order) => timer(time, order));
        for (const each of timers) heap.push(each);
        armed.forEach(([, dead], i) => {
          if (dead) (timers[i] as TimerEntry).live = false;
        });
        const expected = timers
          .filter((each) => each.live)
          .sort((a, b) => a.time - b.time || a.order - b.order);
        const found: TimerEntry[] = [];
        for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
          expect(heap.pop()).toBe(next);
          found.push(next);
        }
        expect(found).toEqual(expected);
        expect(heap.pop()).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('TH1: gives them so when some are pushed, put back and pruned between', () => {
    const step = fc.record({
      what: fc.constantFrom('push', 'push', 'push', 'pop', 'again', 'kill', 'prune'),
      time: fc.integer({ min: 0, max: 3 }),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const heap = new TimerHeap();
        const inside: TimerEntry[] = [];
        const popped: TimerEntry[] = [];
        steps.forEach(({ what, time, pick }, order) => {
          const put = (each: TimerEntry | undefined) => {
            if (each === undefined) return;
            inside.push(each);
            heap.push(each);
          };
          if (what === 'push') put(timer(time, order));
          else if (what === 'again') put(popped.splice(pick % (popped.length || 1), 1)[0]);
          else if (what === 'kill' && inside.length > 0)
            inside.splice(pick % inside.length, 1)[0]!.live = false;
          else if (what === 'prune') heap.prune();
          else if (what === 'pop') {
            inside.sort((a, b) => a.time - b.time || a.order - b.order);
            const next = heap.peek();
            expect(next).toBe(inside.shift());
            if (next === undefined) return;
            expect(heap.pop()).toBe(next);
            popped.push(next);
          }
        });
        heap.prune();
        expect(heap.size).toBe(inside.length);
        expect(new Set(heap.sample())).toEqual(new Set(inside));
      }),
      { numRuns: 500 },
    );
  });
});
