import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { arrivals, feed } from '../../test/arrivals.ts';
import { type After, input, type OutputsOf, pattern } from '../index.ts';
import { harness } from '../testing/index.ts';

const letters = input<string>();
const is = (letter: string) => (value: string) => value === letter;

/** Places of what each match took. */
function found(options: Parameters<typeof pattern<string, string>>[1], text: string): unknown[] {
  const numbered = [...text].map((letter, at) => `${letter}${at}`).join(' ');
  const steps = options.steps.map((step) => ({
    ...step,
    where: (value: string, matched: Parameters<typeof step.where>[1]) => step.where(value[0] ?? '', matched),
  }));
  const subject = harness(pattern(letters, { ...options, steps }));
  for (const [at, letter] of numbered.split(' ').entries()) subject.record('in', 'k', letter, at);
  return subject
    .watermark(text.length)
    .outputs('out')
    .map(({ value }) =>
      Object.values(value as Record<string, string[]>)
        .map((each) => each.join(' '))
        .join(', '),
    );
}

const step = (name: string, after: After = 'followedBy', oneOrMore = false) => ({
  name,
  after,
  oneOrMore,
  where: is(name),
});

describe('pattern', () => {
  const within = '1h';

  it('next asks for the very next record, followedBy for the first that fits, followedByAny for any', () => {
    const two = (after: After) => ({ steps: [step('a'), step('b', after)], within, skip: 'none' as const });
    expect(found(two('next'), 'acbxab')).toEqual(['a4, b5']);
    expect(found(two('followedBy'), 'acbb')).toEqual(['a0, b2']);
    expect(found(two('followedByAny'), 'acbb')).toEqual(['a0, b2', 'a0, b3']);
  });

  it('one or more takes each record after the one before as the step says', () => {
    const more = (after: After) => ({
      steps: [step('a'), step('b', after, true), step('c')],
      within,
      skip: 'none' as const,
    });
    expect(found(more('followedBy'), 'abxbc')).toEqual(['a0, b1 b3, c4', 'a0, b1, c4']);
    expect(found(more('next'), 'abbxbc')).toEqual(['a0, b1 b2, c5', 'a0, b1, c5']);
    expect(found(more('followedByAny'), 'abbc')).toEqual(['a0, b1 b2, c3', 'a0, b1, c3', 'a0, b2, c3']);
  });

  it('skip says what a match leaves for others', () => {
    const skipping = (skip: 'none' | 'toNext' | 'pastLast' | { toFirst: string } | { toLast: string }) =>
      found({ steps: [step('a', 'followedBy', true), step('b')], within, skip }, 'aaab');
    expect(skipping('none')).toEqual([
      'a0 a1 a2, b3',
      'a0 a1, b3',
      'a0, b3',
      'a1 a2, b3',
      'a1, b3',
      'a2, b3',
    ]);
    expect(skipping('toNext')).toEqual(['a0 a1 a2, b3', 'a1 a2, b3', 'a2, b3']);
    expect(skipping('pastLast')).toEqual(['a0 a1 a2, b3']);
    expect(skipping({ toFirst: 'b' })).toEqual(['a0 a1 a2, b3']);
    expect(skipping({ toLast: 'a' })).toEqual(['a0 a1 a2, b3', 'a2, b3']);
  });

  it('takes records in the order of their times, and gives a match at the time of its last one', () => {
    const node = pattern(letters, { steps: [step('a'), step('b', 'next')], within });
    const subject = harness(node)
      .record('in', 'k', 'b', 20)
      .record('in', 'k', 'a', 10)
      .watermark(20)
      .expect('out', []);
    expect(subject.outputWatermark).toBe(20);
    subject.watermark(21).expect('out', [{ key: 'k', value: { a: ['a'], b: ['b'] }, timestamp: 20 }]);
    expect(subject.outputs('late')).toEqual([]);
    subject.record('in', 'k', 'a', 20).expect('late', [{ value: 'a', timestamp: 20 }]);
  });

  it('a condition sees what was taken before', () => {
    const node = pattern(input<number>(), {
      steps: [
        { name: 'low', where: () => true },
        { name: 'high', after: 'next', where: (value, { low }) => value > 2 * (low?.[0] ?? 0) },
      ],
      within,
      select: ({ low, high }) => [low[0], high[0]],
    });
    harness(node)
      .record('in', 'k', 4, 1)
      .record('in', 'k', 5, 2)
      .record('in', 'k', 11, 3)
      .watermark(10)
      .expect('out', [{ value: [5, 11] }]);
  });

  it('PT2: what was begun and not completed in time comes out at the timeout, once, and nothing is kept', () => {
    const node = pattern(letters, { steps: [step('a'), step('b')], within: '10ms' });
    const subject = harness(node)
      .record('in', 'k', 'a', 5)
      .record('in', 'k', 'b', 15)
      .record('in', 'm', 'a', 5)
      .record('in', 'm', 'b', 14)
      .watermark(15)
      .expect('timeout', [])
      .watermark(16)
      .expect('timeout', [{ key: 'k', value: { a: ['a'], b: [] }, timestamp: 14 }])
      .expect('out', [{ key: 'm', value: { a: ['a'], b: ['b'] }, timestamp: 14 }]);
    subject.end().expect('timeout', []);
    expect(subject.keys()).toEqual([]);
  });

  it('P8: a condition that fails sets its time aside and fails no other', () => {
    const failing = { name: 'a', where: (value: string) => (value === 'x' ? (undefined as never) : true) };
    const subject = harness(pattern(letters, { steps: [failing], within }), { onError: 'collect' })
      .record('in', 'k', 'x', 1)
      .record('in', 'k', 'a', 2)
      .watermark(3)
      .expect('out', [{ value: { a: ['a'] } }]);
    expect(subject.errors()).toHaveLength(1);
    expect(subject.errors()[0]?.error).toMatchObject({
      message: expect.stringContaining('step "a" gave a value'),
    });
    expect(subject.end().keys()).toEqual([]);
  });

  it('types a match by the names of its steps', () => {
    const node = pattern(input<{ n: number }>(), {
      steps: [
        { name: 'one', where: ({ n }) => n > 1 },
        { name: 'two', where: ({ n }, { one }) => n > (one?.[0]?.n ?? 0) },
      ],
      within,
    });
    expectTypeOf<OutputsOf<typeof node>['out']>().toEqualTypeOf<{
      readonly one: readonly { n: number }[];
      readonly two: readonly { n: number }[];
    }>();
    const one = { name: 'a', where: is('a') } as const;
    // @ts-expect-error: there is no step of this name
    expect(() => pattern(letters, { steps: [one], within, skip: { toLast: 'b' } })).toThrow('cannot skip to');
  });

  it('says what is wrong with its options', () => {
    expect(() => pattern(letters, { steps: [], within })).toThrow('at least one step');
    expect(() => pattern(letters, { steps: [step('a'), step('a')], within })).toThrow('name of its own');
    expect(() => pattern(letters, { steps: [step('a', 'later' as never)], within })).toThrow('it is "next"');
    expect(() => pattern(letters, { steps: [step('a')], within: 0 })).toThrow('longer than nothing');
    expect(() => pattern(letters, { steps: [step('a')], within, skip: 'all' as never })).toThrow(
      '"pastLast"',
    );
  });

  it('finds what the definition says, for any pattern, order and skip', () => {
    const after = fc.constantFrom<After>('next', 'followedBy', 'followedByAny');
    const anyStep = fc.record({ after, oneOrMore: fc.boolean(), letters: fc.constantFrom('a', 'b', 'ab') });
    const patterns = fc.record({
      steps: fc.array(anyStep, { minLength: 1, maxLength: 3 }),
      within: fc.integer({ min: 1, max: 12 }),
      skip: fc.constantFrom('none' as const, 'toNext' as const, 'pastLast' as const),
    });
    fc.assert(
      fc.property(arrivals({ most: 14, slack: 1_000 }), patterns, (given, { steps, within, skip }) => {
        const letter = (n: number): string => 'abc'[(n * 7) % 3] ?? '';
        const fits = (value: number, index: number): boolean =>
          steps[index]?.letters.includes(letter(value)) === true;
        const node = pattern(input<number>(), {
          steps: steps.map(({ after, oneOrMore }, index) => ({
            name: `s${index}`,
            after,
            oneOrMore,
            where: (value: number) => fits(value, index),
          })),
          within,
          skip,
        });
        const subject = harness(node, { isolated: false });
        feed(subject, given, { port: 'in' });
        for (const key of ['a', 'b']) {
          const rows = given.filter((row) => row.key === key).toSorted((one, other) => one.time - other.time);
          const shown = subject.outputs('out').filter((each) => each.key === key);
          const wanted = skipped(matches(rows, steps, within, fits), skip);
          expect(shown.map(({ value }) => Object.values(value))).toEqual(
            wanted.map((match) => match.map((taken) => taken.map((at) => rows[at]?.n))),
          );
        }
        expect(subject.keys()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

interface AnyStep {
  readonly after: After;
  readonly oneOrMore: boolean;
}
/** Of each step the places of the records it took. */
type Places = readonly (readonly number[])[];

/** Straight from the words: tries every way to give records to steps. */
function matches(
  rows: readonly { time: number; n: number }[],
  steps: readonly AnyStep[],
  within: number,
  fits: (value: number, step: number) => boolean,
): Places[] {
  const ok = (at: number, step: number): boolean => fits(rows[at]?.n ?? 0, step);
  /** Where a record for `step` may come after the one at `at`. */
  const following = (at: number, step: number): number[] => {
    const fitting = rows.map((_, i) => i).filter((i) => i > at && ok(i, step));
    const how = steps[step]?.after;
    if (how === 'followedByAny') return fitting;
    return fitting.slice(0, 1).filter((i) => how === 'followedBy' || i === at + 1);
  };
  const complete = (taken: Places, step: number): Places[] => {
    const last = taken.at(-1)?.at(-1) ?? 0;
    const more = steps[step]?.oneOrMore
      ? following(last, step).flatMap((at) =>
          complete([...taken.slice(0, -1), [...(taken.at(-1) ?? []), at]], step),
        )
      : [];
    if (step === steps.length - 1) return [taken, ...more];
    return [...more, ...following(last, step + 1).flatMap((at) => complete([...taken, [at]], step + 1))];
  };
  return rows
    .flatMap((_, at) => (ok(at, 0) ? complete([[at]], 0) : []))
    .filter((match) => {
      const places = match.flat();
      return (rows[places.at(-1) ?? 0]?.time ?? 0) - (rows[places[0] ?? 0]?.time ?? 0) < within;
    });
}

/** By the record that completes them, the first begun first, then early steps that took more, then earlier records. */
function skipped(found: readonly Places[], skip: 'none' | 'toNext' | 'pastLast'): Places[] {
  const flat = (match: Places): [number, number][] =>
    match.flatMap((taken, i) => taken.map((at) => [i, at] as [number, number]));
  const last = (match: Places): number => match.at(-1)?.at(-1) ?? 0;
  const first = (match: Places): number => match[0]?.[0] ?? 0;
  const inOrder = found.toSorted((one, other) => {
    if (last(one) !== last(other)) return last(one) - last(other);
    if (first(one) !== first(other)) return first(one) - first(other);
    const [a, b] = [flat(one), flat(other)];
    const at = a.findIndex(([i, place], n) => i !== b[n]?.[0] || place !== b[n]?.[1]);
    if (at === -1) return 0;
    const [[i = 0, place = 0] = [], [j = 0, otherPlace = 0] = []] = [a[at], b[at]];
    return i - j || place - otherPlace;
  });
  let from = 0;
  return inOrder.filter((match) => {
    if (first(match) < from) return false;
    if (skip !== 'none') from = (skip === 'toNext' ? first(match) : last(match)) + 1;
    return true;
  });
}
