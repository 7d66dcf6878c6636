import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, readTokens } from './read-tokens.ts';

const tokens = readTokens(readFileSync(new URL('./tokens.css', import.meta.url), 'utf8'));

/** WCAG AA: text, and what only has to be seen (lines of controls, focus, icons). */
const TEXT = 4.5;
const SEEN = 3;

const GROUNDS = ['ground', 'canvas', 'surface', 'raised', 'sunken', 'hover'];
const KINDS = ['injector', 'computation', 'operator', 'sink'];
const STATES = ['ok', 'warn', 'error', 'held'];

const pairs: readonly (readonly [front: string, back: string, least: number])[] = [
  ...['text', 'text-soft', 'text-faint'].flatMap((front) =>
    GROUNDS.map((back) => [front, back, TEXT] as const),
  ),
  ['text', 'pressed', TEXT],
  ['text-soft', 'pressed', TEXT],
  ...GROUNDS.map((back) => ['accent-text', back, TEXT] as const),
  ['accent-text', 'accent-wash', TEXT],
  ['on-accent', 'accent-fill', TEXT],
  ['on-accent', 'accent-fill-hover', TEXT],
  ['on-error', 'error-fill', TEXT],
  ...KINDS.flatMap((kind) =>
    ['surface', 'canvas', `${kind}-wash`].map((back) => [kind, back, TEXT] as const),
  ),
  ...STATES.flatMap((state) =>
    ['surface', 'raised', 'ground', `${state}-wash`].map((back) => [state, back, TEXT] as const),
  ),
  ...STATES.map((state) => ['text', `${state}-wash`, TEXT] as const),
  ...['control-line', 'focus', 'accent'].flatMap((front) =>
    ['ground', 'surface', 'raised', 'canvas'].map((back) => [front, back, SEEN] as const),
  ),
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(pairs)('%s on %s has a contrast of at least %d', (front, back, least) => {
    const measured = contrast(tokens[theme].get(front), tokens[theme].get(back));
    expect(measured).toBeGreaterThanOrEqual(least);
  });
});

test('every colour has a value for both themes', () => {
  expect([...tokens.light.keys()]).toEqual([...tokens.dark.keys()]);
  expect(tokens.light.size).toBeGreaterThan(30);
});

test('black on white is 21, a colour on itself 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#0e9aa7', '#0e9aa7')).toBe(1);
});
