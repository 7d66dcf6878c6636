import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, textOf } from './json-text.ts';
import { keyText } from './key-text.ts';
import {
  COUNTER_NAMES,
  decodeCounters,
  encodeCounters,
  type NodeCounters,
  zeroCounters,
} from './node-counters.ts';

describe('jsonText', () => {
  it('writes what JSON writes, for all JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('writes every digit of a bigint, dates as ISO UTC and bytes as base64, and leaves undefined fields out', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.uint8Array(), (n, bytes) => {
        const value = { n, bytes, at: new Date(5), gone: undefined, list: [undefined, -0] };
        expect(jsonText(value)).toBe(
          `{"n":${n},"bytes":"${Buffer.from(bytes).toString('base64')}","at":"1970-01-01T00:00:00.005Z","list":[null,0]}`,
        );
      }),
    );
  });

  it('names the place of what JSON cannot express; shown to people, anything is text', () => {
    expect(() => jsonText({ a: [1, Number.NaN] })).toThrow('value.a[1] is NaN');
    expect(() => jsonText({ a: 1 / 0 })).toThrow('value.a is Infinity');
    expect(() => jsonText({ at: new Date(Number.NaN) })).toThrow('value.at');
    expect(() => jsonText(() => 1)).toThrow('not data');
    expect(textOf(Number.NaN)).toBe('"NaN"');
  });
});

describe('keyText', () => {
  it('G2: one spelling: 1, 1n and "1" are one key, −0 is 0', () => {
    expect([1, 1n, '1'].map(keyText)).toEqual(['1', '1', '1']);
    expect([-0, '', '__proto__', '\u0000', '😀', -(2n ** 70n)].map(keyText)).toEqual([
      '0',
      '',
      '__proto__',
      '\u0000',
      '😀',
      '-1180591620717411303424',
    ]);
  });

  it('G2: refuses what is no key, and what is too long in bytes, as text or as digits', () => {
    for (const bad of [
      1.5,
      Number.NaN,
      2 ** 53,
      null,
      undefined,
      true,
      {},
      [],
      Symbol('x'),
      '\ud800',
      'a\udfff',
    ])
      expect(() => keyText(bad)).toThrow(/key/);
    expect(keyText('x'.repeat(16_384))).toHaveLength(16_384);
    for (const long of ['x'.repeat(16_385), 'é'.repeat(8193), 10n ** 17_000n])
      expect(() => keyText(long)).toThrow(/16384/);
  });
});

describe('node counters', () => {
  it('P9: round-trip, and those that an older version did not write are zero', () => {
    fc.assert(
      fc.property(
        fc.array(fc.maxSafeNat(), { minLength: COUNTER_NAMES.length, maxLength: COUNTER_NAMES.length }),
        (n) => {
          const counters = Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, n[i]])) as NodeCounters;
          expect(decodeCounters(encodeCounters(counters))).toEqual(counters);
        },
      ),
    );
    expect(decodeCounters(new Uint8Array(0))).toEqual(zeroCounters());
  });
});
