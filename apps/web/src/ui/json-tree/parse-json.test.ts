import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test('a number beyond what a double can hold keeps every digit', () => {
  expect(parseJson('{"id": 9007199254740993, "x": 1.10}')).toEqual({
    kind: 'object',
    entries: [
      ['id', { kind: 'number', text: '9007199254740993' }],
      ['x', { kind: 'number', text: '1.10' }],
    ],
  });
});

test('fields keep their order, and __proto__ is a field like any other', () => {
  const node = parseJson('{"2":null,"__proto__":true,"1":["a\\n"]}');
  expect(node?.kind === 'object' && node.entries.map(([name]) => name)).toEqual(['2', '__proto__', '1']);
});

test('half a text, text behind the end and depth without end are no JSON to show', () => {
  for (const text of ['', '{"a":', '{"a":1', '"open', '1 2', '{"a":1}}', '['.repeat(100_000), '01'])
    expect(parseJson(text)).toBeUndefined();
});
