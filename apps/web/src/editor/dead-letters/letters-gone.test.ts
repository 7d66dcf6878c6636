import { expect, test } from 'vitest';
import { lettersGone } from './letters-gone.ts';

const of = (count: number) => new Map([['n_a', count]]);

/** A node that loses ten a second, of which those of the last four are not recorded yet. */
function dying(seconds: number) {
  const gone = lettersGone();
  for (let s = 0; s <= seconds; s++) gone.counted(of(10 * s), 1_000 * s);
  return gone;
}

test('letters that are counted and not recorded yet are not taken for redriven ones', () => {
  expect(
    dying(60)
      .compare(of(10 * 56), 60_000)
      ?.get('n_a'),
  ).toBe(0);
});

test('what was redriven is told though others die meanwhile, all of it once none do', () => {
  const gone = dying(60);
  // 500 were redriven of 560.
  expect(gone.compare(of(60), 60_000)?.get('n_a')).toBe(470);
  gone.counted(of(600), 68_000);
  expect(gone.compare(of(100), 68_000)?.get('n_a')).toBe(500);
});

test('nothing is said before there is a count old enough to compare with', () => {
  expect(dying(5).compare(of(10), 5_000)).toBeUndefined();
});
