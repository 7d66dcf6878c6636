import { expect, test } from 'vitest';
import { matchesKeys } from './match-keys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', true>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test('mod is the command key on a Mac and Ctrl elsewhere', () => {
  expect(matchesKeys(press('k', { metaKey: true }), 'mod+k', true)).toBe(true);
  expect(matchesKeys(press('k', { ctrlKey: true }), 'mod+k', true)).toBe(false);
  expect(matchesKeys(press('k', { ctrlKey: true }), 'mod+k', false)).toBe(true);
  expect(matchesKeys(press('k'), 'mod+k', false)).toBe(false);
});

test('shift counts for letters and names', () => {
  expect(matchesKeys(press('Z', { ctrlKey: true, shiftKey: true }), 'mod+shift+z', false)).toBe(true);
  expect(matchesKeys(press('Z', { ctrlKey: true, shiftKey: true }), 'mod+z', false)).toBe(false);
});

test('a sign is a sign, whether the keyboard needs shift for it or not', () => {
  expect(matchesKeys(press('?', { shiftKey: true }), '?', false)).toBe(true);
  expect(matchesKeys(press('/', {}), '/', false)).toBe(true);
  expect(matchesKeys(press('/', { shiftKey: true }), '/', false)).toBe(true);
});
