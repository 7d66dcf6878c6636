/**
 * Strict JSON (RFC 8259) to a positioned tree. Own parser because `JSON.parse` keeps no positions, hides
 * duplicate keys and rounds integers silently; all three are problems a person must be shown.
 */
import type { JsonMember, JsonToken } from './token.ts';

export interface JsonProblem {
  readonly code: 'json-syntax' | 'json-duplicate-key' | 'json-number';
  readonly message: string;
  readonly offset: number;
}

export interface ParsedJson {
  /** Missing after a syntax error: nothing behind it can be trusted. */
  readonly root: JsonToken | undefined;
  readonly problems: readonly JsonProblem[];
}

/** Deeper nesting is refused, so that no walker of the tree can overflow the stack. */
const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export function parseJson(text: string): ParsedJson {
  const problems: JsonProblem[] = [];
  const scan: Scan = { text, at: 0, problems };
  try {
    const root = readValue(scan, 0);
    skipSpace(scan);
    if (scan.at < text.length) fail(scan, `unexpected ${shown(scan)} after the end of the value`);
    return { root, problems };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    problems.push({ code: 'json-syntax', message: error.message, offset: error.offset });
    return { root: undefined, problems };
  }
}

interface Scan {
  readonly text: string;
  at: number;
  readonly problems: JsonProblem[];
}

class SyntaxFailure extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

function readValue(scan: Scan, depth: number): JsonToken {
  if (depth > MAX_DEPTH) fail(scan, `nested more than ${MAX_DEPTH} levels deep`);
  skipSpace(scan);
  const start = scan.at;
  switch (scan.text[start]) {
    case '{':
      return readObject(scan, depth);
    case '[':
      return readArray(scan, depth);
    case '"': {
      const value = readString(scan);
      return { kind: 'string', value, start, end: scan.at };
    }
    case 't':
      return readWord(scan, 'true', { kind: 'boolean', value: true, start, end: start + 4 });
    case 'f':
      return readWord(scan, 'false', { kind: 'boolean', value: false, start, end: start + 5 });
    case 'n':
      return readWord(scan, 'null', { kind: 'null', start, end: start + 4 });
    default:
      return readNumber(scan);
  }
}

function readObject(scan: Scan, depth: number): JsonToken {
  const start = scan.at++;
  const members: JsonMember[] = [];
  const seen = new Set<string>();
  skipSpace(scan);
  if (scan.text[scan.at] === '}') return { kind: 'object', members, start, end: ++scan.at };
  for (;;) {
    skipSpace(scan);
    const keyStart = scan.at;
    if (scan.text[keyStart] !== '"') fail(scan, `expected a key in double quotes, found ${shown(scan)}`);
    const key = readString(scan);
    const keyEnd = scan.at;
    if (seen.has(key)) {
      const message = `the key ${JSON.stringify(key)} stands twice in one object; remove or rename one of them`;
      scan.problems.push({ code: 'json-duplicate-key', message, offset: keyStart });
    }
    seen.add(key);
    skipSpace(scan);
    if (scan.text[scan.at] !== ':') fail(scan, `expected ":" after a key, found ${shown(scan)}`);
    scan.at++;
    members.push({ key, keyStart, keyEnd, value: readValue(scan, depth + 1) });
    if (endsHere(scan, '}')) return { kind: 'object', members, start, end: scan.at };
  }
}

function readArray(scan: Scan, depth: number): JsonToken {
  const start = scan.at++;
  const items: JsonToken[] = [];
  skipSpace(scan);
  if (scan.text[scan.at] === ']') return { kind: 'array', items, start, end: ++scan.at };
  for (;;) {
    items.push(readValue(scan, depth + 1));
    if (endsHere(scan, ']')) return { kind: 'array', items, start, end: scan.at };
  }
}

/** Steps over a comma (false) or the closing bracket (true). */
function endsHere(scan: Scan, close: '}' | ']'): boolean {
  skipSpace(scan);
  const found = scan.text[scan.at];
  if (found !== close && found !== ',') fail(scan, `expected "," or "${close}", found ${shown(scan)}`);
  scan.at++;
  return found === close;
}

function readString(scan: Scan): string {
  const opening = scan.at++;
  let value = '';
  for (;;) {
    value += match(scan, PLAIN);
    const next = scan.text[scan.at];
    if (next === '"') {
      scan.at++;
      return value;
    }
    if (next !== '\\') {
      if (next === undefined) fail({ ...scan, at: opening }, 'a text without its closing double quote');
      fail(scan, `${shown(scan)} inside a text; write it as an escape such as \\n`);
    }
    value += readEscape(scan);
  }
}

function readEscape(scan: Scan): string {
  const letter = scan.text[scan.at + 1] ?? '';
  const simple = ESCAPES.get(letter);
  if (simple !== undefined) {
    scan.at += 2;
    return simple;
  }
  const hex = scan.text.slice(scan.at + 2, scan.at + 6);
  if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex))
    fail(scan, `unknown escape ${JSON.stringify(`\\${letter}`)}`);
  scan.at += 6;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function readNumber(scan: Scan): JsonToken {
  const start = scan.at;
  const text = match(scan, NUMBER);
  if (text === '') fail(scan, `expected a value, found ${shown(scan)}`);
  const value = Number(text);
  if (!Number.isFinite(value) || (/^-?\d+$/.test(text) && !Number.isSafeInteger(value))) {
    const message = `the number ${text.slice(0, 40)} cannot be kept exactly; write it as a text`;
    scan.problems.push({ code: 'json-number', message, offset: start });
  }
  return { kind: 'number', value, start, end: scan.at };
}

function readWord(scan: Scan, word: string, token: JsonToken): JsonToken {
  if (!scan.text.startsWith(word, scan.at)) fail(scan, `expected a value, found ${shown(scan)}`);
  scan.at += word.length;
  return token;
}

function match(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text)?.[0] ?? '';
  scan.at += found.length;
  return found;
}

function skipSpace(scan: Scan): void {
  match(scan, SPACE);
}

function shown(scan: Scan): string {
  const point = scan.text.codePointAt(scan.at);
  return point === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(point));
}

function fail(scan: Scan, message: string): never {
  throw new SyntaxFailure(message, scan.at);
}
