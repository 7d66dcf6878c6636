import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyData, freezeData, freezeParsed } from './plain-data.ts';

const data = fc.anything({ withBigInt: true, withDate: true, withTypedArray: false, withSparseArray: false });

describe('copyData', () => {
  it('P12: copies all there is, and nothing of the copy is the original’s', () => {
    fc.assert(
      fc.property(data, (value) => {
        const copy = copyData(value);
        expect(copy).toEqual(value);
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
      { numRuns: 300 },
    );
    const source = { list: [{ a: 1 }], at: new Date(5), bytes: Uint8Array.of(1) };
    const copy = copyData(source);
    (source.list[0] as { a: number }).a = 2;
    source.at.setTime(9);
    source.bytes[0] = 9;
    expect(copy).toEqual({ list: [{ a: 1 }], at: new Date(5), bytes: Uint8Array.of(1) });
  });

  it('names the place of what is not data', () => {
    class Point {}
    for (const bad of [
      () => 1,
      Symbol('x'),
      new Map(),
      new Set(),
      new Point(),
      /x/,
      new Float64Array(1),
      new Error('x'),
    ])
      expect(() => copyData({ list: [{ bad }] }, 'state')).toThrow(/state\.list\[0\]\.bad/);
    const self: unknown[] = [];
    self.push(self);
    expect(() => copyData(self)).toThrow(/refers to itself/);
  });

  it('keeps __proto__ an own property, with what lies in it copied', () => {
    const value = JSON.parse('{"__proto__":{"x":[1]}}');
    const copy = copyData(value) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copy, '__proto__')?.value).not.toBe(
      Object.getOwnPropertyDescriptor(value, '__proto__')?.value,
    );
  });
});

describe('freezeData and freezeParsed', () => {
  it('P12: freeze at every depth', () => {
    const value = freezeData({ a: [{ b: {} }], c: new Date(0), d: Uint8Array.of(1) });
    expect(() => {
      (value.a[0] as { b: { x?: number } }).b.x = 1;
    }).toThrow(TypeError);
    expect(() => value.a.push({ b: {} })).toThrow(TypeError);
  });

  it('tell of a number whose digits may be lost, at any place, and freeze what is beside it', () => {
    expect(freezeParsed(JSON.parse('{"a":[{"b":9007199254740991}]}'))).toBe(false);
    for (const text of ['9007199254740992', '[[-9007199254740993]]', '{"a":{"__proto__":{"b":[1,1e300]}}}']) {
      const value = JSON.parse(text);
      expect(freezeParsed(value)).toBe(true);
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});
