/**
 * Cuts a partition's bytes into records, one format each. A scanner is pulled: it gives the next record, a
 * broken piece with its offset (the next record is unaffected), or undefined when it needs more bytes.
 */
import type { ByteWindow } from './byte-window.ts';
import { csvScanner } from './csv-scanner.ts';
import { parseJson } from './exact-json.ts';
import { jsonArrayScanner } from './json-array-scanner.ts';

export type Scanned =
  | { readonly kind: 'record'; readonly offset: number; readonly value: unknown }
  | { readonly kind: 'broken'; readonly offset: number; readonly text: string; readonly error: Error };

export interface RecordScanner {
  /** `ended`: no more bytes will come. */
  next(window: ByteWindow, ended: boolean): Scanned | undefined;
  /** What must be known to go on in the middle of the partition; plain data. */
  readonly memory: unknown;
}

export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

export interface ScannerOptions {
  readonly format: string;
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly delimiter: string | undefined;
  readonly memory: unknown;
}

export function createScanner(options: ScannerOptions): RecordScanner {
  switch (options.format) {
    case 'jsonl':
      return lineScanner(options.memory, parseJson, true);
    case 'text':
      return lineScanner(options.memory, (line) => line, false);
    case 'csv':
      return csvScanner(options);
    case 'json':
      return jsonArrayScanner(options.memory);
    default:
      throw new Error(`unknown format "${options.format}": use jsonl, json, csv or text`);
  }
}

/** A record a line. Blank lines of JSON lines are nothing; of text they are records. */
function lineScanner(memory: unknown, parse: (line: string) => unknown, skipBlank: boolean): RecordScanner {
  const skip = new OverlongSkip(memory);
  return {
    get memory() {
      return skip.memory;
    },
    next(window, ended) {
      for (;;) {
        if (skip.active && !skip.toLineEnd(window)) return undefined;
        const { text, at } = window;
        const newline = text.indexOf('\n', at);
        if (newline < 0 && !ended) return skip.tooLong(window);
        const end = newline < 0 ? text.length : newline;
        if (newline < 0 && at === text.length) return undefined;
        const offset = window.offset;
        let line = text.slice(at, end > at && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
        window.consume(newline < 0 ? end : end + 1);
        if (offset === 0 && line.charCodeAt(0) === 0xfeff) line = line.slice(1);
        if (line.length > MAX_RECORD_BYTES) return overlong(offset, line);
        if (skipBlank && line.trim() === '') continue;
        try {
          return { kind: 'record', offset, value: parse(line) };
        } catch (error) {
          return { kind: 'broken', offset, text: line, error: error as Error };
        }
      }
    },
  };
}

/** A record without end must not grow in memory: it is reported once and skipped to the next line. */
export class OverlongSkip {
  active: boolean;

  constructor(memory: unknown) {
    this.active = memory === 'skipping';
  }

  get memory(): unknown {
    return this.active ? 'skipping' : undefined;
  }

  tooLong(window: ByteWindow): Scanned | undefined {
    if (window.unread <= MAX_RECORD_BYTES) return undefined;
    this.active = true;
    const result = overlong(window.offset, window.text.slice(window.at, window.at + 1000));
    window.consume(window.text.length);
    return result;
  }

  /** True once the line's end is behind us. */
  toLineEnd(window: ByteWindow): boolean {
    const newline = window.text.indexOf('\n', window.at);
    window.consume(newline < 0 ? window.text.length : newline + 1);
    this.active = newline < 0;
    return !this.active;
  }
}

export function overlong(offset: number, text: string): Scanned {
  return {
    kind: 'broken',
    offset,
    text: text.slice(0, 1000),
    error: new RangeError(
      `the record is longer than ${MAX_RECORD_BYTES / 1048576} MiB, the limit: split it, or leave out what is not needed`,
    ),
  };
}
