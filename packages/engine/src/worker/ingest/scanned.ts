/** What all scanners share: their results, their options, and records that are too long. */
import type { ByteWindow } from './byte-window.ts';

export type Scanned =
  | { readonly kind: 'record'; readonly offset: number; readonly value: unknown }
  | {
      readonly kind: 'broken';
      readonly offset: number;
      readonly text: string;
      readonly error: Error;
      /** `text` is only its beginning. */
      readonly cut?: true;
    };

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
    cut: true,
    error: new RangeError(
      `the record is longer than ${MAX_RECORD_BYTES / 1048576} MiB, the limit: split it, or leave out what is not needed`,
    ),
  };
}
