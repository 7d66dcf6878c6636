import { describe, expect, it } from 'vitest';
import { sinkRow } from '../../test/contexts.ts';
import { bodyOf, contentOf, idempotencyKey } from './request-body.ts';

const line = (key: string, value: unknown, more: object = {}) =>
  JSON.stringify({ key, value, timestamp: 7, ...more });
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe('bodies of requests', () => {
  it.each<[string, unknown]>([
    ['k', 1],
    ['', null],
    ['","value":2,"timestamp":3', 'x'],
    ['\\', { a: ',"timestamp":9}' }],
    ['a\\"b', [',"timestamp":', '","value":']],
    ['\u0000☃\n', { timestamp: 1, value: { timestamp: 2 } }],
  ])('the value of the key %j is cut out of its line exactly', (key, value) => {
    for (const more of [{}, { pane: { start: 0, end: 1, index: 0, timing: 'on-time', last: true } }]) {
      const row = sinkRow(1, 0, line(key, value, more), 'id "1"');
      expect(JSON.parse(text(contentOf(row, 'value')) ?? '')).toEqual(value);
      expect(JSON.parse(text(contentOf(row, 'record')) ?? '')).toEqual({
        ...{ id: 'id "1"', key, value, timestamp: 7 },
        ...more,
      });
    }
  });

  it('digits beyond 2^53 arrive as they are', () => {
    const row = sinkRow(1, 0, '{"key":"k","value":{"n":9007199254740993},"timestamp":1}');
    expect(text(contentOf(row, 'value'))).toBe('{"n":9007199254740993}');
  });

  it.each(['', '{', '[1]', '{}', 'null'])('a line that is none is no content: %j', (bad) => {
    expect(contentOf(sinkRow(1, 0, bad), 'value')).toBeUndefined();
    expect(contentOf(sinkRow(1, 0, bad), 'record')).toBeUndefined();
  });

  it('joins several as an array or as lines', () => {
    const parts = ['1', '2', '3'].map((part) => Buffer.from(part));
    expect(text(bodyOf(parts, 'array'))).toBe('[1,2,3]');
    expect(text(bodyOf(parts, 'ndjson'))).toBe('1\n2\n3\n');
    expect(text(bodyOf(parts.slice(0, 1), 'one'))).toBe('1');
    expect(() => bodyOf(parts, 'one')).toThrow();
  });

  it('one record is known by its id, several by a digest of theirs', () => {
    const [a, b] = [sinkRow(1, 0, '', 'file#1'), sinkRow(1, 1, '', 'file#2')] as const;
    expect(idempotencyKey([a])).toBe('file#1');
    expect(idempotencyKey([a, b])).toMatch(/^[\w-]{43}$/);
    expect(idempotencyKey([a, b])).toBe(idempotencyKey([a, b]));
    expect(idempotencyKey([a, b])).not.toBe(idempotencyKey([b, a]));
    expect(idempotencyKey([sinkRow(1, 0, '', 'a\nb')])).not.toContain('\n');
    expect(idempotencyKey([sinkRow(1, 0, '', 'ü')])).toMatch(/^[\w-]{43}$/);
    expect(idempotencyKey([sinkRow(1, 0, '', 'x'.repeat(300))])).toHaveLength(43);
  });
});
