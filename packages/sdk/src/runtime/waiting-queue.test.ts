import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WaitingInput } from './key-entry.ts';
import { WaitingQueue } from './waiting-queue.ts';

const item = (hold: number | undefined): WaitingInput =>
  ({
    hold,
    attempts: 0,
    notBefore: 0,
    storedAs: 0,
    running: false,
    held: false,
    suspect: false,
  }) as WaitingInput;

const leastHold = (items: readonly WaitingInput[]): number | undefined => {
  const holds = items.flatMap(({ hold }) => (hold === undefined ? [] : [hold]));
  return holds.length === 0 ? undefined : Math.min(...holds);
};

describe('WaitingQueue', () => {
  it('WQ1: keeps its order and knows the least hold, whatever comes and goes', () => {
    const step = fc.record({
      what: fc.constantFrom('push', 'push', 'push', 'push', 'unshift', 'shift', 'shift', 'remove'),
      hold: fc.option(fc.integer({ min: -3, max: 9 }), { nil: undefined }),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = new WaitingQueue();
        const model: WaitingInput[] = [];
        for (const { what, hold, pick } of steps) {
          const next = item(what === 'unshift' ? undefined : hold);
          const left = what === 'shift' ? model[0] : model[pick % (model.length || 1)];
          if (what === 'push') {
            queue.push(next);
            model.push(next);
          } else if (what === 'unshift') {
            queue.unshift(next);
            model.unshift(next);
          } else if (left !== undefined) {
            queue.remove(left);
            model.splice(model.indexOf(left), 1);
          }
          expect(queue.oldestHold).toBe(leastHold(model));
          expect(queue.first).toBe(model[0]);
          expect(queue.length).toBe(model.length);
        }
        expect([...queue]).toEqual(model);
      }),
      { numRuns: 500 },
    );
  });

  it('takes as long for each of many as for each of few', () => {
    const queue = new WaitingQueue();
    for (let i = 0; i < 300_000; i++) queue.push(item(i));
    let right = 0;
    for (let i = 0; i < 300_000; i++) {
      if (queue.oldestHold === i) right++;
      queue.remove(queue.first as WaitingInput);
    }
    expect(right).toBe(300_000);
    expect(queue.length).toBe(0);
  });
});
