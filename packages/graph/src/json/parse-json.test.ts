import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { parseJson } from './parse-json.ts';
import { jsonPositions, lineIndex } from './positions.ts';
import { plainValue } from './token.ts';

describe('parseJson', () => {
  it('agrees with JSON.parse on every JSON text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { root, problems } = parseJson(text);
        if (problems.some(({ code }) => code !== 'json-syntax')) return;
        expect(JSON.stringify(plainValue(root as NonNullable<typeof root>))).toBe(
          JSON.stringify(JSON.parse(text)),
        );
      }),
    );
  });

  it('never throws and accepts nothing that JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((t) => t.slice(0, -1)),
          fc.json().map((t) => `${t},`),
        ),
        (text) => {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          expect(parseJson(text).root !== undefined).toBe(valid);
        },
      ),
    );
  });

  it('a duplicate key and a number that would lose digits are problems with their place', () => {
    const { problems } = parseJson('{"a": 1,\n "a": 9007199254740993}');
    expect(problems.map(({ code, offset }) => [code, offset])).toEqual([
      ['json-duplicate-key', 10],
      ['json-number', 15],
    ]);
  });

  it('deep nesting is a problem, not a stack overflow', () => {
    expect(parseJson('['.repeat(1_000_000)).problems[0]?.message).toBe('nested more than 100 levels deep');
  });

  it('__proto__ becomes an own property', () => {
    const value = plainValue(parseJson('{"__proto__": {"x": 1}}').root as never) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(canonicalJson(value)).toBe('{\n  "__proto__": {\n    "x": 1\n  }\n}\n');
  });
});

describe('jsonPositions', () => {
  it('a place inside a text counts the escapes of the file', () => {
    const text = '{\n  "a": "x\\n\\u0041y"\n}';
    const positions = jsonPositions(text, parseJson(text).root);
    expect(positions.inText(['a'], 0)).toEqual({ line: 2, column: 9 });
    expect(positions.inText(['a'], 2)).toEqual({ line: 2, column: 12 });
    expect(positions.inText(['a'], 3)).toEqual({ line: 2, column: 18 });
    expect(positions.key(['a'])).toEqual({ line: 2, column: 3 });
    expect(positions.value(['a', 'nowhere'])).toEqual({ line: 2, column: 8 });
  });

  it('line and column start at 1', () => {
    const at = lineIndex('ab\n\nc');
    expect([0, 2, 3, 4].map(at)).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
    ]);
  });
});
