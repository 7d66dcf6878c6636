/**
 * Cuts a partition's bytes into records, one format each. A scanner is pulled: it gives the next record, a
 * broken piece with its offset (the next record is unaffected), or undefined when it needs more bytes.
 * Values it gives are frozen.
 */
import { csvScanner } from './csv-scanner.ts';
import { parseJson } from './exact-json.ts';
import { jsonArrayScanner } from './json-array-scanner.ts';
import { lineScanner } from './line-scanner.ts';
import type { RecordScanner, ScannerOptions } from './scanned.ts';

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
