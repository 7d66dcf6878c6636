import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NEVER,
  type Repeated,
  requireTrigger,
  type TriggerRule,
  type TriggerState,
  triggerRule,
} from './trigger.ts';

const records = (every: number): Repeated => ({ type: 'records', every });
const rule = (given: Repeated): TriggerRule => triggerRule(given, 'trigger.early');

/** `r` is a record, a number moves the wall clock; gives the steps after which it fired. */
function firings(given: Repeated, steps: readonly ('r' | number)[]): number[] {
  const { begin, record, dueFrom, shown } = rule(given);
  let [state, now, fresh]: [TriggerState, number, boolean] = [begin, 0, false];
  return steps.flatMap((step, i) => {
    if (step === 'r') [state, fresh] = [record(state, now), true];
    else now = step;
    if (!fresh || now < dueFrom(state)) return [];
    [state, fresh] = [shown(state, now), false];
    return [i];
  });
}

/** By the words of each kind, with nothing but its states shared with the rule. */
function isDue(given: Repeated, state: TriggerState, now: number): boolean {
  if (typeof given !== 'object') return state !== null && now >= Number(state);
  const parts = state as readonly TriggerState[];
  switch (given.type) {
    case 'time':
      return state !== null && now >= Number(state);
    case 'records':
      return Number(state) >= given.every;
    case 'any':
      return given.of.some((part, i) => isDue(part, parts[i]!, now));
    case 'all':
      return given.of.every((part, i) => isDue(part, parts[i]!, now));
    case 'sequence':
      return isDue(given.of[Number(parts[0])]!, parts[1]!, now);
  }
}

describe('triggers', () => {
  it('F2: every n records, and a remainder does not fire', () => {
    expect(firings(records(2), ['r', 'r', 'r', 'r', 'r'])).toEqual([1, 3]);
  });

  it('F2: every period fires at its full multiples, once, and only for something new', () => {
    expect(firings('10ms', [3, 'r', 'r', 9, 10, 25, 'r', 29, 45, 45])).toEqual([4, 8]);
    expect(firings({ type: 'time', every: 10 }, ['r', 10, 10, 'r', 19, 20])).toEqual([1, 5]);
  });

  it('F2: any, all and sequence of them', () => {
    const both = ['10ms', records(3)] as const;
    expect(firings({ type: 'any', of: both }, ['r', 'r', 'r', 'r', 10, 'r', 'r', 'r'])).toEqual([2, 4, 7]);
    expect(firings({ type: 'all', of: both }, ['r', 10, 'r', 'r', 'r', 'r', 'r', 20])).toEqual([3, 7]);
    const steps = ['r', 'r', 'r', 'r', 'r', 'r', 'r'] as const;
    expect(firings({ type: 'sequence', of: [records(1), records(2), records(3)] }, steps)).toEqual([0, 2, 5]);
    const nested: Repeated = {
      type: 'any',
      of: [{ type: 'sequence', of: [records(1), records(4)] }, '10ms'],
    };
    expect(firings(nested, ['r', 'r', 10, 'r', 'r', 'r', 'r'])).toEqual([0, 2, 6]);
  });

  it('F2: all of them at once where one is due by its records before the clock of the other', () => {
    const given: Repeated = { type: 'all', of: [{ type: 'any', of: ['9ms', records(1)] }, '3ms'] };
    const { begin, record, dueFrom } = rule(given);
    expect(dueFrom(record(begin, 0))).toBe(3);
  });

  it('is due exactly when its parts are, whatever it is made of, and shows once', () => {
    const leaf = fc.oneof(
      fc.integer({ min: 1, max: 4 }).map(records),
      fc.constantFrom<Repeated>('3ms', '5ms', { type: 'time', every: '7ms' }),
    );
    const tree = fc.letrec<{ tree: Repeated }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({
          type: fc.constantFrom('any' as const, 'all' as const, 'sequence' as const),
          of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        }),
      ),
    })).tree;
    fc.assert(
      fc.property(tree, fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12 }), (given, gaps) => {
        const { begin, record, dueFrom, shown } = rule(given);
        let [state, now]: [TriggerState, number] = [begin, 0];
        for (const gap of gaps) {
          now += gap;
          state = record(state, now);
          // States are stored.
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
          for (let at = now; at < now + 50; at++) expect(at >= dueFrom(state)).toBe(isDue(given, state, at));
          if (now >= dueFrom(state)) state = shown(state, now);
          expect(now >= dueFrom(state)).toBe(false);
        }
      }),
    );
  });

  it('what can never fire, or is no trigger, is refused', () => {
    expect(() => rule(records(0))).toThrow('every 0 records; it must be a whole number from 1 on');
    expect(() => rule(records(1.5))).toThrow('every 1.5 records');
    expect(() => rule('0s')).toThrow('trigger.early is "0s", but it must be longer than nothing');
    expect(() => rule({ type: 'all', of: [] })).toThrow('of type "all" can never fire');
    expect(() => rule({ type: 'often' } as never)).toThrow('trigger.early is no trigger; write a duration');
    expect(() => rule(null as never)).toThrow('is no trigger');
    expect(() => rule({ type: 'time', each: '1m' } as never)).toThrow('no option "each"');
    const setting = { latenessMs: 0, discarding: false, isEndless: false };
    expect(() => requireTrigger({ late: '1m' }, setting)).toThrow('can never fire without allowedLateness');
    expect(() => requireTrigger({ late: '1m' }, { ...setting, latenessMs: 5, isEndless: true })).toThrow(
      'nothing is late for a global window',
    );
    expect(() => requireTrigger({ onTime: 'always' }, { ...setting, discarding: true })).toThrow('once more');
    expect(() => requireTrigger({ onTime: 'never' as never }, setting)).toThrow('"if-new" or "always"');
    expect(() => requireTrigger({ sooner: '1m' } as never, setting)).toThrow('no option "sooner"');
    expect(NEVER.dueFrom(NEVER.record(NEVER.begin, 0))).toBe(Infinity);
  });
});
