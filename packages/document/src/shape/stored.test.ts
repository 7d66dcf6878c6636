import { setOwn } from '@millrace/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStored, MAX_VALUE, sameStored, toStored } from './stored.ts';

describe('values of fields', () => {
  it('any JSON comes back as it went in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const stored = toStored(value);
        expect(fromStored(stored)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('equal values are equal texts, whatever the order of their keys', () => {
    expect(sameStored(toStored({ a: 1, b: [2] }), toStored({ b: [2], a: 1 }))).toBe(true);
    expect(sameStored(toStored(['a']), toStored('a'))).toBe(false);
  });

  it('what is no JSON is not stored', () => {
    const deep: unknown[] = [];
    let inner = deep;
    for (let i = 0; i < 100; i++) {
      const next: unknown[] = [];
      inner.push(next);
      inner = next;
    }
    const values = [
      Number.NaN,
      1n,
      () => 1,
      Symbol('a'),
      [undefined],
      { a: 1n },
      deep,
      'x'.repeat(MAX_VALUE + 1),
    ];
    for (const value of values) expect(toStored(value)).toBeUndefined();
  });

  it('what `toStored` cannot have written is no value', () => {
    const values = [
      undefined,
      {},
      [],
      ['a', 'b'],
      [1],
      ['x'],
      ['"text"'],
      ['1'],
      ['[1e999]'],
      ['{'],
      new Uint8Array(1),
    ];
    for (const value of values) expect(fromStored(value)).toBeUndefined();
  });

  it('keys like __proto__ and constructor are keys', () => {
    const value = { constructor: 1 };
    setOwn(value, '__proto__', { a: 2 });
    const back = fromStored(toStored(value)) as object;
    expect(Object.entries(back)).toEqual([
      ['__proto__', { a: 2 }],
      ['constructor', 1],
    ]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });
});
