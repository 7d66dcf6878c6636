/** What the code logged, at the lines that logged it. Pure. */
import type { ShownLogLine } from '@millrace/protocol/api';

export interface LogNote {
  readonly line: number;
  /** Among the lines of the log that are kept. */
  readonly count: number;
  readonly level: ShownLogLine['level'];
  /** The newest, on one line. */
  readonly text: string;
}

export interface LoggingCode {
  /** Of the file, in a folder. */
  readonly path: string;
  /** Of which the shown text is the text: another version's lines are other lines. */
  readonly version: number;
}

const MOST_CHARS = 100;

export function logNotes(lines: readonly ShownLogLine[], { path, version }: LoggingCode): readonly LogNote[] {
  const notes = new Map<number, LogNote>();
  for (const { place, version: ran, level, text } of lines) {
    if (ran !== version || place?.startsWith(`${path}:`) !== true) continue;
    const line = Number(place.slice(path.length + 1).split(':')[0]);
    if (!Number.isInteger(line)) continue;
    const count = (notes.get(line)?.count ?? 0) + 1;
    notes.set(line, { line, count, level, text: oneLine(text) });
  }
  return [...notes.values()];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line;
}
