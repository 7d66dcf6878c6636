import { ByteWindow } from './byte-window.ts';
import { parseJson } from './exact-json.ts';
import { createScanner } from './record-scanner.ts';
import type { ScannerOptions } from './scanned.ts';

/** One record's text, as the scanner of this format would take it. `memory`: of the scanner of its partition. */
export function parseAlone(
  text: string,
  { format, columns, delimiter }: Omit<ScannerOptions, 'memory'>,
  memory: unknown,
): unknown {
  if (format === 'text') return text;
  if (format !== 'csv') return parseJson(text);
  // Not at offset 0, where a byte-order mark would be looked for.
  const window = new ByteWindow(1);
  window.push(new TextEncoder().encode(text));
  window.end();
  window.pull();
  const header = { header: (memory as { header?: unknown } | undefined)?.header };
  const scanned = createScanner({ format, columns, delimiter, memory: header }).next(window, true);
  if (scanned?.kind === 'record') return scanned.value;
  throw scanned?.error ?? new SyntaxError('the row is empty, or the header of its file is not known');
}
