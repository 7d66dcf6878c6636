import type { Node } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { lookOf, nodeWords } from './node-words.ts';

const node = (type: string, config: Node['config']): Node => ({
  id: 'n',
  type,
  name: 'x',
  code: undefined,
  config,
  exactlyOnce: true,
  productions: 'strong',
  idempotent: false,
});

describe('the one line of a node', () => {
  it('tells window and figures of an aggregate', () => {
    const config = {
      window: { type: 'hopping', size: '10s', slide: '2s' },
      aggregates: { mean: { type: 'avg' }, n: { type: 'count' } },
    };
    expect(nodeWords(node('operator/aggregate', config))).toBe('hopping 10s · every 2s · mean, n');
    const days = { ...config, window: { type: 'calendar', unit: 'day', zone: 'Asia/Tokyo' } };
    expect(nodeWords(node('operator/aggregate', days))).toBe('every day · Asia/Tokyo · mean, n');
    const all = { ...config, window: { type: 'global' } };
    expect(nodeWords(node('operator/aggregate', all))).toBe('all time · mean, n');
  });

  it('names parameters and secrets, never their content', () => {
    expect(nodeWords(node('injector/interval', { every: { param: 'beat' } }))).toBe('every {beat}');
    expect(nodeWords(node('injector/interval', { at: '30 2 * * *', zone: 'Europe/Berlin' }))).toMatch(
      /^30 2 \* \* \*.*Europe\/Berlin$/,
    );
    expect(nodeWords(node('sink/http', { url: { secret: 'hook' } }))).toBe('POST {hook}');
  });

  it('is empty, not wrong, for settings that are missing or of another form', () => {
    for (const type of ['operator/aggregate', 'injector/file', 'operator/map', 'sink/postgres', 'odd/type']) {
      expect(nodeWords(node(type, { window: 3, path: [], expression: null }))).not.toMatch(
        /undefined|object|null/,
      );
    }
    expect(lookOf('odd/type')).toBe('unknown');
  });
});
