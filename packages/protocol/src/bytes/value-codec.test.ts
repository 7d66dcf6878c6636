import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, MalformedBytes } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { decodeValue, encodeValue } from './value-codec.ts';

const encoded = (value: unknown): Uint8Array => {
  const w = new ByteWriter(8);
  encodeValue(w, value);
  return w.take();
};
const decoded = (bytes: Uint8Array): unknown => {
  const r = new ByteReader(bytes);
  const value = decodeValue(r);
  expect(r.done).toBe(true);
  return value;
};
const roundTrip = (value: unknown): unknown => decoded(encoded(value));

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', '', '\u0000', '\ufeff', 'é'.repeat(40), 'x'.repeat(63), 'x'.repeat(64)),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, undefined, -0, 0, Number.NaN, Infinity, -Infinity, 2 ** 53, 111, 112),
    fc.double(),
    fc.maxSafeInteger(),
    fc.bigInt(),
    text,
    fc.date({ noInvalidDate: false }),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map((fields) => {
      const object: Record<string, unknown> = {};
      for (const [name, value] of fields)
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      return object;
    }),
  ),
})).value;

describe('values as bytes', () => {
  it('round-trip whatever JSON, bigint, Date and bytes can be nested to', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(roundTrip(value)).toStrictEqual(value);
      }),
    );
  });

  it('keep −0, NaN, the infinities and the integers at both ends of every encoding', () => {
    for (const n of [
      -0,
      0,
      -1,
      111,
      112,
      127,
      128,
      2 ** 31,
      2 ** 32,
      2 ** 53 - 1,
      -(2 ** 53) + 1,
      2 ** 53,
      NaN,
      1 / 0,
    ])
      expect(Object.is(roundTrip(n), n)).toBe(true);
    for (const n of [0n, -1n, 255n, 256n, 2n ** 64n, -(2n ** 4000n)]) expect(roundTrip(n)).toBe(n);
  });

  it('keep __proto__ an own property and never touch a prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    const back = roundTrip(value) as object;
    expect(Object.keys(back)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('keep a lone surrogate, so that a value is the same on this worker and on another', () => {
    for (const value of [
      '\ud800',
      'a\udc00b',
      '\ud800'.repeat(100),
      { x: '\udfff' },
      { '\ud800': 1, '\ud801': 2 },
    ])
      expect(roundTrip(value)).toStrictEqual(value);
  });

  it('do not depend on what was encoded before: each value decodes on its own', () => {
    const w = new ByteWriter(4);
    encodeValue(w, { a: 1, b: 2 });
    const cut = w.length;
    encodeValue(w, { b: 3, a: 4 });
    expect(decodeValue(new ByteReader(w.take(), cut))).toStrictEqual({ b: 3, a: 4 });
  });

  it('hand out bytes that are no view of the frame', () => {
    const bytes = encoded(Uint8Array.of(1, 2, 3));
    const back = decoded(bytes) as Uint8Array;
    bytes.fill(9);
    expect([...back]).toEqual([1, 2, 3]);
  });

  it('refuse functions and symbols', () => {
    expect(() => encoded(() => 1)).toThrow(TypeError);
    expect(() => encoded({ a: [Symbol('x')] })).toThrow(TypeError);
  });

  it('go as deep as a value may be, and refuse deeper bytes without exhausting the stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 500; i++) deep = i % 2 ? [deep] : { x: deep };
    expect(roundTrip(deep)).toStrictEqual(deep);
    const hostile = new Uint8Array(200_000);
    for (let i = 0; i < hostile.length; i += 2) hostile.set([8, 1], i);
    expect(() => decodeValue(new ByteReader(hostile))).toThrow(MalformedBytes);
  });

  it('cut anywhere are MalformedBytes', () => {
    fc.assert(
      fc.property(data, fc.nat(), (value, at) => {
        const bytes = encoded(value);
        const cut = bytes.subarray(0, at % bytes.length);
        expect(() => decodeValue(new ByteReader(cut))).toThrow(MalformedBytes);
      }),
    );
  });

  it('mutated anywhere are a value or MalformedBytes, nothing else', () => {
    fc.assert(
      fc.property(data, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }), (value, changes) => {
        const bytes = encoded(value);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        try {
          decodeValue(new ByteReader(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('with absurd lengths throw before anything is allocated for them', () => {
    for (const tag of [7, 8, 9, 10, 11, 13]) {
      const w = new ByteWriter();
      w.u8(tag);
      w.varint(Number.MAX_SAFE_INTEGER);
      const before = process.memoryUsage().arrayBuffers;
      expect(() => decodeValue(new ByteReader(w.take()))).toThrow(MalformedBytes);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    }
  });
});
