import { describe, expect, it } from 'vitest';
import { cappedJson } from './capped-json.ts';
import { jsonText } from './json-text.ts';

describe('a value as text for people', () => {
  it('is the same text a sink would get, when there is room', () => {
    const value = {
      a: [1, -0, 2n ** 70n, null, true],
      at: new Date(0),
      bytes: new Uint8Array([1, 2, 3]),
      'na"me': 'é\u0000',
      gone: undefined,
    };
    expect(cappedJson(value, 10_000)).toEqual({ text: jsonText(value), cut: false });
  });

  it('says what JSON cannot express instead of failing', () => {
    expect(cappedJson({ a: Number.NaN, b: new Date(Number.NaN) }, 100).text).toBe(
      '{"a":"NaN","b":"Invalid Date"}',
    );
  });

  it('ends where there is no more room, and says so', () => {
    const whole = jsonText({ list: Array.from({ length: 1000 }, (_, i) => ({ i })) });
    const { text, cut } = cappedJson({ list: Array.from({ length: 1000 }, (_, i) => ({ i })) }, 50);
    expect({ text, cut }).toEqual({ text: whole.slice(0, 50), cut: true });
    expect(cappedJson('x'.repeat(1_000_000), 50).text).toBe(`"${'x'.repeat(49)}`);
  });

  it('does not look at more than it shows', () => {
    let looked = 0;
    const items = new Proxy([] as number[], {
      get: (_, name) => {
        if (name === 'length') return 1e9;
        if (typeof name === 'string') looked++;
        return 1;
      },
    });
    expect(cappedJson(items, 1_000).cut).toBe(true);
    expect(looked).toBeLessThan(1_000);
  });

  it('survives a value nested deeper than the stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 60_000; i++) deep = [deep];
    expect(cappedJson(deep, 64 * 1024).text.startsWith('[[[')).toBe(true);
  });
});
