import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Splice } from '../write/edit.ts';
import { textSplices, wholeCharacters } from './text-splices.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '😁', '\n'), maxLength: 12 });

describe('textSplices', () => {
  it('turns any text into any other without cutting a character', () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        const splices = textSplices(old, now);
        expect(splices.reduce(apply, old)).toBe(now);
        for (const splice of splices) expect(wholeCharacters(old, splice)).toEqual(splice);
      }),
    );
  });

  it('touches only what differs', () => {
    expect(textSplices('one two three', 'one 2 three')).toEqual([{ at: 4, remove: 3, insert: '2' }]);
    expect(textSplices('same', 'same')).toEqual([]);
  });
});

describe('wholeCharacters', () => {
  it('widens a removal and moves an insertion out of a character', () => {
    expect(wholeCharacters('a😀b', { at: 2, remove: 1, insert: '' })).toEqual({
      at: 1,
      remove: 2,
      insert: '',
    });
    expect(wholeCharacters('a😀b', { at: 0, remove: 2, insert: '' })).toEqual({
      at: 0,
      remove: 3,
      insert: '',
    });
    expect(wholeCharacters('a😀b', { at: 2, remove: 0, insert: 'x' })).toEqual({
      at: 3,
      remove: 0,
      insert: 'x',
    });
  });
});

function apply(before: string, { at, remove, insert }: Splice): string {
  return before.slice(0, at) + insert + before.slice(at + remove);
}
