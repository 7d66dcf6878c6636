/** From offsets and paths to line and column. */
import { type JsonToken, memberOf } from './token.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type JsonPath = readonly (string | number)[];

export interface JsonPositions {
  /** Where the value at `path` stands; the nearest enclosing one where the path does not exist. */
  value(path: JsonPath): Position;
  /** Where the key of the last step of `path` stands. */
  key(path: JsonPath): Position;
  /** Where the UTF-16 unit `index` of the *decoded* text at `path` stands in the file (escapes count). */
  inText(path: JsonPath, index: number): Position;
}

export function jsonPositions(text: string, root: JsonToken | undefined): JsonPositions {
  const at = lineIndex(text);
  return {
    value: (path) => at(locate(root, path).token?.start ?? 0),
    key: (path) => {
      const { token, keyStart } = locate(root, path);
      return at(keyStart ?? token?.start ?? 0);
    },
    inText: (path, index) => {
      const { token, exact } = locate(root, path);
      if (!exact || token?.kind !== 'string') return at(token?.start ?? 0);
      return at(rawOffset(text, token.start, token.end, index));
    },
  };
}

/** Line and column of an offset by binary search. */
export function lineIndex(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

interface Located {
  readonly token: JsonToken | undefined;
  readonly keyStart: number | undefined;
  readonly exact: boolean;
}

function locate(root: JsonToken | undefined, path: JsonPath): Located {
  let token = root;
  let keyStart: number | undefined;
  for (const step of path) {
    const member = typeof step === 'string' ? memberOf(token, step) : undefined;
    const next = member?.value ?? (token?.kind === 'array' ? token.items[Number(step)] : undefined);
    if (next === undefined) return { token, keyStart, exact: false };
    token = next;
    keyStart = member?.keyStart;
  }
  return { token, keyStart, exact: true };
}

function rawOffset(text: string, start: number, end: number, index: number): number {
  let at = start + 1;
  for (let decoded = 0; decoded < index && at < end - 1; decoded++) {
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}
