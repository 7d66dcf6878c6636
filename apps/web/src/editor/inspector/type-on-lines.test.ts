import { expect, it } from 'vitest';
import { onLines } from './type-on-lines.ts';

it('a short type stays on its line', () => {
  expect(onLines('{ n: number }')).toBe('{ n: number }');
});

it('the fields of a longer one stand below each other, however deep', () => {
  const type = '{ name: string; at: { place: "a; {b}"; time: number }; list: { n: number }[] }';
  expect(onLines(type).split('\n')).toEqual([
    '{',
    '  name: string;',
    '  at: {',
    '    place: "a; {b}";',
    '    time: number',
    '  };',
    '  list: {',
    '    n: number',
    '  }[]',
    '}',
  ]);
});
