/**
 * JSON to look at: numbers stay the text they were written as, so that one beyond 2^53 is shown exactly, and an
 * object keeps its order and every one of its fields. Pure.
 */

export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [name: string, value: JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number' | 'word'; readonly text: string };

/** Deeper than this nobody looks, and a hostile text shall not exhaust the stack. */
const DEEPEST = 200;
const SPACE = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /true|false|null/y;

/** Undefined: it is no JSON, or only the beginning of it. */
export function parseJson(text: string): JsonNode | undefined {
  let at = 0;
  const value = read(0);
  take(SPACE);
  return value !== undefined && at === text.length ? value : undefined;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function next(char: string): boolean {
    take(SPACE);
    if (text[at] !== char) return false;
    at += 1;
    return true;
  }

  function read(depth: number): JsonNode | undefined {
    if (depth > DEEPEST) return undefined;
    if (next('{')) return object(depth);
    if (next('[')) return array(depth);
    const string = readString();
    if (string !== undefined) return { kind: 'string', text: string };
    const number = take(NUMBER);
    if (number !== undefined) return { kind: 'number', text: number };
    const word = take(WORD);
    return word === undefined ? undefined : { kind: 'word', text: word };
  }

  function readString(): string | undefined {
    const quoted = take(STRING);
    if (quoted === undefined) return undefined;
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return undefined;
    }
  }

  function object(depth: number): JsonNode | undefined {
    const entries: [string, JsonNode][] = [];
    if (next('}')) return { kind: 'object', entries };
    do {
      take(SPACE);
      const name = readString();
      if (name === undefined || !next(':')) return undefined;
      const value = read(depth + 1);
      if (value === undefined) return undefined;
      entries.push([name, value]);
    } while (next(','));
    return next('}') ? { kind: 'object', entries } : undefined;
  }

  function array(depth: number): JsonNode | undefined {
    const items: JsonNode[] = [];
    if (next(']')) return { kind: 'array', items };
    do {
      const value = read(depth + 1);
      if (value === undefined) return undefined;
      items.push(value);
    } while (next(','));
    return next(']') ? { kind: 'array', items } : undefined;
  }
}
