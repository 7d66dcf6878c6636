import { expect, test } from 'vitest';
import { readShown, writeShown } from './address.ts';

test('a version and a comparison stand in the address and are read back', () => {
  expect(readShown('?v=5&node=n_a')).toEqual({ version: 5, compare: undefined });
  expect(readShown('?compare=3..draft')).toEqual({
    version: undefined,
    compare: { from: 3, to: 'draft' },
  });
  const search = writeShown('?node=n_a&v=2', { compare: { from: 2, to: 7 } });
  expect(search).toBe('?node=n_a&compare=2..7');
  expect(readShown(search).compare).toEqual({ from: 2, to: 7 });
  expect(writeShown('?v=2', {})).toBe('');
});

test('what is no version shows the draft', () => {
  for (const search of ['?v=0', '?v=x', '?v=-1', '?compare=1', '?compare=1..y', '?compare=..'])
    expect(readShown(search)).toEqual({ version: undefined, compare: undefined });
});
