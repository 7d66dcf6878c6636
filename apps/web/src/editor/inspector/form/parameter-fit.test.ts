import type { Parameter } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { defaultOf, fitting } from './parameter-fit.ts';

const parameter = (type: Parameter['type']): Parameter => ({
  type,
  default: undefined,
  description: undefined,
});
const all = new Map([
  ['rate', parameter('number')],
  ['gap', parameter('duration')],
  ['table', parameter('string')],
  ['delay', parameter('duration')],
]);
const names = (...of: Parameters<typeof fitting>): string[] => fitting(...of).map(([name]) => name);

describe('where a field may take its value from', () => {
  it('only from parameters of its type, in order', () => {
    expect(names({ kind: 'duration', words: [] }, all)).toEqual(['delay', 'gap']);
    expect(names({ kind: 'choice', options: ['a'] }, all)).toEqual(['table']);
    expect(names({ kind: 'secret', orText: false }, all)).toEqual([]);
    expect(names({ kind: 'expression' }, all)).toEqual([]);
  });

  it('what is written becomes the default, unless it is not of the type', () => {
    expect(defaultOf({ kind: 'duration', words: ['off'] }, '10s')).toBe('10s');
    expect(defaultOf({ kind: 'duration', words: ['off'] }, 'off')).toBeUndefined();
    expect(defaultOf({ kind: 'number', isInteger: true, words: [] }, 5)).toBe(5);
  });
});
