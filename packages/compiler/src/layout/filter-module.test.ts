import { expect, test } from 'vitest';
import { filterModule } from './filter-module.ts';

test('a filter stands in its module as it was written, reading what flows on its streams', () => {
  const { text, start, isMixed } = filterModule(["import('../n_a/type').default"], 'value.n > 1 // all');
  expect(text.slice(start)).toBe('value.n > 1 // all\n);\n');
  expect(text).toContain("type Value = (import('../n_a/type').default);");
  expect(isMixed).toBe(false);
});

test('of several streams the fields of each are offered, of streams of one type once', () => {
  expect(filterModule(['A', 'B', 'A'], '').text).toContain('type Value = (A) & (B);');
  expect(filterModule(['A', 'B', 'A'], '').isMixed).toBe(true);
  expect(filterModule(['A', 'A'], '').isMixed).toBe(false);
  expect(filterModule(['A', 'unknown'], '').text).toContain('type Value = unknown;');
  expect(filterModule([], '').text).toContain('type Value = unknown;');
});
