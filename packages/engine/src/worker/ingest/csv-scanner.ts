/**
 * CSV as RFC 4180 has it: the first record names the columns; quoted fields may hold delimiters, quotes
 * (doubled) and line ends; an empty field is "", a missing one is an error, never a shift of columns. So is a
 * declared column that the header does not have.
 */
import type { ByteWindow } from './byte-window.ts';
import { OverlongSkip, type RecordScanner, type Scanned, type ScannerOptions } from './scanned.ts';

export function csvScanner(options: ScannerOptions): RecordScanner {
  const delimiter = options.delimiter ?? ',';
  const stored = options.memory as { header?: string[]; skipping?: boolean } | undefined;
  const skip = new OverlongSkip(stored?.skipping ? 'skipping' : undefined);
  let header = stored?.header;
  let absent: Error | undefined;
  if (header !== undefined) absent = absentColumn(header, options.columns);

  return {
    get memory() {
      return { header, skipping: skip.active };
    },
    next(window, ended) {
      for (;;) {
        if (skip.active && !skip.toLineEnd(window)) return undefined;
        const row = readRow(window, delimiter, ended);
        if (row === undefined) return ended ? undefined : skip.tooLong(window);
        const { offset, fields, text, error } = row;
        if (fields.length === 1 && fields[0] === '' && text.trim() === '') continue;
        if (error !== undefined) {
          // A broken header still names columns: the first row must not take its place.
          header ??= fields;
          return { kind: 'broken', offset, text, error };
        }
        if (header === undefined) {
          header = fields;
          absent = absentColumn(header, options.columns);
          continue;
        }
        if (absent !== undefined) return { kind: 'broken', offset, text, error: absent };
        return toRecord(header, row, options.columns);
      }
    },
  };
}

/** Code is typed by the declared columns: a row without one of them is not what it was promised. */
function absentColumn(
  header: readonly string[],
  types: Readonly<Record<string, string>> | undefined,
): Error | undefined {
  const column = Object.keys(types ?? {}).find((name) => !header.includes(name));
  if (column === undefined) return undefined;
  const seen = header.join(', ').slice(0, 200);
  return new SyntaxError(
    `the header has no column ${JSON.stringify(column)}, it has ${JSON.stringify(seen)}: check the header, the delimiter and the names in columns`,
  );
}

interface Row {
  readonly offset: number;
  readonly fields: string[];
  readonly text: string;
  readonly error: Error | undefined;
}

function readRow(window: ByteWindow, delimiter: string, ended: boolean): Row | undefined {
  const { text } = window;
  const offset = window.offset;
  const start = offset === 0 && text.charCodeAt(window.at) === 0xfeff ? window.at + 1 : window.at;
  if (start >= text.length) {
    // Nothing but a byte-order mark.
    if (ended) window.consume(text.length);
    return undefined;
  }
  const fields: string[] = [];
  let at = start;
  let error: Error | undefined;
  for (;;) {
    const field = text[at] === '"' ? quoted(text, at, delimiter) : plain(text, at, delimiter);
    if (field.end >= text.length && !ended) return undefined;
    if (field.error !== undefined) error = field.error;
    fields.push(field.value);
    at = field.end;
    if (text.startsWith(delimiter, at) && at < text.length) {
      at += delimiter.length;
      if (at >= text.length && !ended) return undefined;
      continue;
    }
    break;
  }
  // A CR that is the last thing here may be half of a CRLF, or a part of the field.
  if (text[at] === '\r' && at + 1 === text.length && !ended) return undefined;
  if (text[at] === '\r') at++;
  if (text[at] === '\n') at++;
  const line = text.slice(start, at);
  window.consume(at);
  return { offset, fields, text: line, error };
}

interface Field {
  readonly value: string;
  readonly end: number;
  readonly error?: Error;
}

function plain(text: string, from: number, delimiter: string): Field {
  let end = from;
  while (end < text.length) {
    const c = text[end];
    if (
      c === '\n' ||
      (c === '\r' && text[end + 1] === '\n') ||
      (c === '\r' && end + 1 === text.length) ||
      text.startsWith(delimiter, end)
    )
      break;
    end++;
  }
  return { value: text.slice(from, end), end };
}

function quoted(text: string, from: number, delimiter: string): Field {
  let value = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0)
      return {
        value: value + text.slice(at),
        end: text.length,
        error: new SyntaxError('a quoted field is not closed'),
      };
    value += text.slice(at, quote);
    if (text[quote + 1] === '"') {
      value += '"';
      at = quote + 2;
      continue;
    }
    const rest = plain(text, quote + 1, delimiter);
    if (rest.value === '') return { value, end: rest.end };
    return {
      value,
      end: rest.end,
      error: new SyntaxError(
        `text ${JSON.stringify(rest.value.slice(0, 20))} after the closing quote of a field`,
      ),
    };
  }
}

function toRecord(header: string[], row: Row, types: Readonly<Record<string, string>> | undefined): Scanned {
  const { offset, fields, text } = row;
  if (fields.length !== header.length) {
    return {
      kind: 'broken',
      offset,
      text,
      error: new SyntaxError(
        `the row has ${fields.length} fields, the header ${header.length}: check the delimiter and the quotes`,
      ),
    };
  }
  const value: Record<string, unknown> = {};
  try {
    header.forEach((name, i) => {
      Object.defineProperty(value, name, {
        value: typed(fields[i] as string, types?.[name], name),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    });
  } catch (error) {
    return { kind: 'broken', offset, text, error: error as Error };
  }
  return { kind: 'record', offset, value: Object.freeze(value) };
}

/** An empty field is null where the type has a question mark, else the record cannot be what it is typed as. */
function typed(text: string, declared: string | undefined, column: string): unknown {
  if (declared === undefined || declared === 'string') return text;
  const trimmed = text.trim();
  const optional = declared.endsWith('?');
  const type = optional ? declared.slice(0, -1) : declared;
  if (trimmed === '') {
    if (optional) return null;
    throw new TypeError(
      `column "${column}" is empty, and its type is ${type}: where a cell may be empty the type is "${type}?"`,
    );
  }
  if (type === 'boolean') {
    if (/^(true|t|yes|1)$/i.test(trimmed)) return true;
    if (/^(false|f|no|0)$/i.test(trimmed)) return false;
  } else if (type === 'bigint') {
    if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed);
  } else {
    const number = Number(trimmed);
    if (Number.isFinite(number))
      return /^[+-]?\d+$/.test(trimmed) && !Number.isSafeInteger(number) ? BigInt(trimmed) : number;
  }
  throw new TypeError(`column "${column}" is ${JSON.stringify(text.slice(0, 50))}, not a ${type}`);
}
