/** Where in a row a column's content is. Browser-safe. */
import type { ColumnType } from './identifiers.ts';

export const ROW_FIELDS: readonly string[] = ['key', 'value', 'timestamp', 'id', 'pane'];

const PANE_NUMBERS: readonly string[] = ['pane.start', 'pane.end', 'pane.index'];

export function defaultType(from: string): ColumnType {
  if (from === 'key' || from === 'id' || from === 'pane.timing') return 'text';
  if (from === 'timestamp' || PANE_NUMBERS.includes(from)) return 'bigint';
  if (from === 'pane.last' || from === 'pane.retracts') return 'boolean';
  return 'jsonb';
}
