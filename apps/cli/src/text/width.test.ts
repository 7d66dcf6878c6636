import { describe, expect, it } from 'vitest';
import { cut, pad, printable, widthOf } from './width.ts';

describe('text on a terminal', () => {
  it('counts wide characters as two columns and combining ones as none', () => {
    expect(widthOf('flights')).toBe(7);
    expect(widthOf('航班')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('✈️')).toBe(2);
    expect(widthOf('👩‍👩‍👧')).toBe(2);
    expect(widthOf('\u200b')).toBe(0);
  });

  it('cuts between characters, never inside one, and never past the limit', () => {
    expect(cut('航班延误', 8)).toBe('航班延误');
    expect(cut('航班延误', 7)).toBe('航班延…');
    expect(cut('航班延误', 6)).toBe('航班…');
    expect(cut('abc', 0)).toBe('');
    expect(cut('abc', 1)).toBe('…');
  });

  it('pads by columns', () => {
    expect(pad('航', 4)).toBe('航  ');
    expect(pad('7', 3, 'right')).toBe('  7');
    expect(pad('long', 2)).toBe('long');
  });

  it('shows control characters, lone surrogates and direction marks instead of obeying them', () => {
    expect(printable('a\u001b[31mb\nc\u0000\u202e\ud800')).toBe('a�[31mb�c���');
    expect(printable('航班 ✈️')).toBe('航班 ✈️');
  });
});
