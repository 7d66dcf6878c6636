/**
 * A JSON text that is there as a whole: an array of records, or one value that is one record. Unlike the array in
 * a file, it goes on behind an element that is too long: every record has its place in the answer.
 */
import type { ByteWindow } from './byte-window.ts';
import { parseJson } from './exact-json.ts';
import { jsonArrayScanner } from './json-array-scanner.ts';
import { MAX_RECORD_BYTES, overlong, type RecordScanner, type Scanned } from './scanned.ts';

export function jsonBodyScanner(): RecordScanner {
  let array: RecordScanner | undefined;
  let taken = false;
  return {
    memory: undefined,
    next(window, ended) {
      if (array === undefined && !taken) {
        const first = firstSolid(window);
        if (first === undefined && !ended) return undefined;
        if (first === '[') array = jsonArrayScanner(undefined, 'body');
      }
      if (array !== undefined) return array.next(window, ended);
      if (taken || !ended) return undefined;
      taken = true;
      return whole(window);
    },
  };
}

function whole(window: ByteWindow): Scanned {
  const offset = window.offset;
  const text = window.text.slice(window.text.charCodeAt(0) === 0xfeff ? 1 : 0);
  window.consume(window.text.length);
  if (text.length > MAX_RECORD_BYTES) return overlong(offset, text);
  try {
    if (text.trim() === '') throw new SyntaxError('the body is empty: a JSON value or an array was expected');
    return { kind: 'record', offset, value: parseJson(text) };
  } catch (error) {
    return { kind: 'broken', offset, text, error: error as Error };
  }
}

function firstSolid({ text, at }: ByteWindow): string | undefined {
  for (let i = at; i < text.length; i++) if (!' \t\r\n\ufeff'.includes(text[i] as string)) return text[i];
  return undefined;
}
