import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './durations.ts';
import { isId, mintId } from './ids.ts';
import { resolveParameters } from './parameters.ts';

describe('durations', () => {
  it('every spelling of the format reads and writes back', () => {
    for (const [text, ms] of [
      ['250ms', 250],
      ['10s', 10_000],
      ['30m', 1_800_000],
      ['2h', 7_200_000],
      ['1d', 86_400_000],
    ] as const) {
      expect(parseDuration(text)).toBe(ms);
      expect(formatDuration(ms)).toBe(text);
    }
    expect(formatDuration(0)).toBe('0s');
  });

  it('anything else is no duration', () => {
    for (const text of ['', '1', 's', '-1s', '1.5h', '1 h', '1H', '1w', '999999999999999d', ' 1s']) {
      expect(parseDuration(text), text).toBeUndefined();
    }
  });
});

describe('ids', () => {
  it('G1: an id is minted from 12 base-32 characters of the given randomness', () => {
    let n = 0;
    expect(mintId('n', () => n++ / 12)).toBe('n_0258adgjnrtx');
    expect(mintId('s', () => 0.999999)).toBe('s_zzzzzzzzzzzz');
  });

  it('G1: hand-written ids are fine, anything else is not', () => {
    expect(isId('n', 'n_count_by_hour')).toBe(true);
    for (const id of ['n_', 'count', 'n_Ä', 'n_a-b', 's_1', '__proto__', `n_${'a'.repeat(70)}`]) {
      expect(isId('n', id), id).toBe(false);
    }
  });
});

describe('parameters', () => {
  it('texts from the command line become values of the declared type', () => {
    const declare = (type: 'duration' | 'string' | 'number' | 'boolean') => ({
      type,
      default: undefined,
      description: undefined,
    });
    const declared = new Map([
      ['d', declare('duration')],
      ['s', declare('string')],
      ['n', declare('number')],
      ['b', declare('boolean')],
    ]);
    const good = resolveParameters(
      declared,
      new Map([
        ['d', '1m'],
        ['s', '1'],
        ['n', '-1.5e3'],
        ['b', 'false'],
      ]),
    );
    expect(good).toEqual({ values: { d: '1m', s: '1', n: -1500, b: false }, problems: [] });
    const bad = resolveParameters(
      declared,
      new Map([
        ['d', '1'],
        ['n', 'NaN'],
        ['b', 'no'],
      ]),
    );
    expect(bad.problems.map(({ parameter, code }) => [parameter, code])).toEqual([
      ['b', 'parameter-value'],
      ['d', 'parameter-value'],
      ['n', 'parameter-value'],
      ['s', 'missing-parameter'],
    ]);
  });
});
