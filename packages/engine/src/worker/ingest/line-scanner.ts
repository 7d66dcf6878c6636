import { MAX_RECORD_BYTES, OverlongSkip, overlong, type RecordScanner } from './scanned.ts';

/** A record a line. Blank lines of JSON lines are nothing; of text they are records. */
export function lineScanner(
  memory: unknown,
  parse: (line: string) => unknown,
  skipBlank: boolean,
): RecordScanner {
  const skip = new OverlongSkip(memory);
  /** Given out again and again: whoever pulls reads it before the next pull. */
  const record = { kind: 'record' as const, offset: 0, value: undefined as unknown };
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
        if (skipBlank && (line === '' || (line.charCodeAt(0) <= 32 && line.trim() === ''))) continue;
        try {
          record.offset = offset;
          record.value = parse(line);
          return record;
        } catch (error) {
          return { kind: 'broken', offset, text: line, error: error as Error };
        }
      }
    },
  };
}
