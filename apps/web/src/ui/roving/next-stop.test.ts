import { describe, expect, it } from 'vitest';
import { nextStop, stopNamed, typedNow } from './next-stop.ts';

const NAMES = ['File', 'Generator', 'Interval', 'Filter', 'Flat map'];
const word = (text: string) => ({ text, at: 0 });

describe('the keys of a list', () => {
  it('lead to neighbours and ends, and never out of it', () => {
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'Tab'].map((key) => nextStop(key, 4, 5))).toEqual([
      4,
      3,
      0,
      4,
      undefined,
    ]);
  });

  it('lead to the name that begins with what is typed', () => {
    expect(stopNamed(NAMES, word('fl'), 0)).toBe(4);
    expect(stopNamed(NAMES, word('g'), 3)).toBe(1);
    expect(stopNamed(NAMES, word('x'), 0)).toBeUndefined();
  });

  it('go from one name to the next while the same letter is pressed', () => {
    expect([0, 3, 4].map((from) => stopNamed(NAMES, word('f'), from))).toEqual([3, 4, 0]);
    expect(stopNamed(NAMES, word('fff'), 0)).toBe(3);
  });

  it('begin a new word after a pause', () => {
    expect(typedNow({ text: 'f', at: 0 }, 'L', 300).text).toBe('fl');
    expect(typedNow({ text: 'f', at: 0 }, 'L', 900).text).toBe('l');
  });
});
