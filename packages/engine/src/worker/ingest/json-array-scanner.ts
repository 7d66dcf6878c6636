/**
 * The elements of one top-level JSON array, as they come, without the array in memory. An element that is
 * not JSON is broken alone, as long as its quotes and brackets let one find its end; one that is too long is told
 * once and passed over without being kept.
 */
import type { ByteWindow } from './byte-window.ts';
import { parseJson } from './exact-json.ts';
import { MAX_RECORD_BYTES, overlong, type RecordScanner, type Scanned } from './scanned.ts';

type Place = 'before' | 'element' | 'skipping' | 'after' | 'refused';

/** `body`: it is bounded, so that an element that is too long is passed over instead of ending the reading. */
export function jsonArrayScanner(memory: unknown, source: 'file' | 'body' = 'file'): RecordScanner {
  const inside = typeof memory === 'object' && memory !== null ? (memory as SkippedElement) : undefined;
  let place: Place = inside ? 'skipping' : ((memory as Place | undefined) ?? 'before');
  /** How far the unread element has been looked at, so that a long one is not scanned again for each chunk. */
  let scan = new ElementScan(inside);

  function refuse(window: ByteWindow, message: string): Scanned {
    place = 'refused';
    const result: Scanned = {
      kind: 'broken',
      offset: window.offset,
      text: window.text.slice(window.at, window.at + 200),
      cut: true,
      error: new SyntaxError(message),
    };
    window.consume(window.text.length);
    return result;
  }

  return {
    get memory() {
      return place === 'skipping' ? scan.state : place;
    },
    next(window, ended) {
      for (;;) {
        if (place === 'refused') {
          window.consume(window.text.length);
          return undefined;
        }
        if (place === 'skipping') {
          if (!scan.skip(window)) {
            if (ended) return refuse(window, CUT_OFF(source));
            return undefined;
          }
          scan = new ElementScan();
          place = 'element';
        }
        skipSpace(window);
        const c = window.text[window.at];
        if (c === undefined) {
          if (!ended || place === 'after') return undefined;
          return refuse(
            window,
            place === 'before' ? `the ${source} is empty: a JSON array was expected` : CUT_OFF(source),
          );
        }
        if (place === 'before') {
          if (c !== '[')
            return refuse(
              window,
              'the file does not begin with "[": set format to jsonl if it has a JSON value a line',
            );
          window.consume(window.at + 1);
          place = 'element';
          continue;
        }
        if (place === 'after') return refuse(window, 'text after the end of the JSON array');
        if (c === ']') {
          window.consume(window.at + 1);
          place = 'after';
          continue;
        }
        if (c === ',') {
          window.consume(window.at + 1);
          continue;
        }
        const end = scan.find(window, ended);
        if (end === undefined) {
          if (window.unread <= MAX_RECORD_BYTES || source === 'body') return undefined;
          place = 'skipping';
          const result = overlong(window.offset, window.text.slice(window.at, window.at + 1000));
          scan.forget(window);
          return result;
        }
        scan = new ElementScan();
        return element(window, end);
      }
    },
  };
}

function element(window: ByteWindow, end: number): Scanned {
  const offset = window.offset;
  const text = window.text.slice(window.at, end);
  window.consume(end);
  if (text.length > MAX_RECORD_BYTES) return overlong(offset, text);
  try {
    return { kind: 'record', offset, value: parseJson(text) };
  } catch (error) {
    return { kind: 'broken', offset, text, error: error as Error };
  }
}

const CUT_OFF = (source: string): string => `the JSON array is not closed: the ${source} is cut off`;

/** Where in an element one is: all that must be known to find its end without what was before. */
interface SkippedElement {
  readonly depth: number;
  readonly inString: boolean;
  readonly escaped: boolean;
}

class ElementScan {
  #looked = 0;
  #depth: number;
  #inString: boolean;
  #escaped: boolean;

  constructor({ depth, inString, escaped }: SkippedElement = { depth: 0, inString: false, escaped: false }) {
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
  }

  get state(): SkippedElement {
    return { depth: this.#depth, inString: this.#inString, escaped: this.#escaped };
  }

  /** Text position behind the element that begins at the window's position. */
  find(window: ByteWindow, ended: boolean): number | undefined {
    const { text, at } = window;
    for (let i = at + this.#looked; i < text.length; i++) if (this.#ends(text.charCodeAt(i))) return i;
    this.#looked = text.length - at;
    return ended && text.length > at ? text.length : undefined;
  }

  /** What was looked at is let go; the element goes on with what comes. */
  forget(window: ByteWindow): void {
    window.consume(window.text.length);
    this.#looked = 0;
  }

  /** True once the element's end is at the window's position; until then all there is has been let go. */
  skip(window: ByteWindow): boolean {
    const end = this.find(window, false);
    if (end === undefined) this.forget(window);
    else window.consume(end);
    return end !== undefined;
  }

  #ends(c: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (c === 92) this.#escaped = true;
      else if (c === 34) this.#inString = false;
    } else if (c === 34) this.#inString = true;
    else if (c === 123 || c === 91) this.#depth++;
    else if (c === 125 || c === 93) {
      // A "}" that closes nothing is part of its broken element, or no step forward would be made.
      if (this.#depth === 0) return c === 93;
      this.#depth--;
    } else return c === 44 && this.#depth === 0;
    return false;
  }
}

function skipSpace(window: ByteWindow): void {
  let i = window.at;
  while (
    i < window.text.length &&
    (' \t\r\n'.includes(window.text[i] as string) ||
      (window.offset === 0 && i === 0 && window.text.charCodeAt(0) === 0xfeff))
  )
    i++;
  if (i > window.at) window.consume(i);
}
