/**
 * Writes rows of which the target may refuse some for their content: tries all, searches for the refused ones
 * when that fails, tries the others, and so on. Each search takes at least one row out; one that finds none,
 * time after time, means an error that no row is to blame for, and that is thrown.
 */
import type { SinkDeadLetter, SinkRow } from '@millrace/engine';
import { troubleOf } from './sql-errors.ts';

const FRUITLESS_SEARCHES = 3;

export interface RowWriter {
  /** All or nothing. */
  write(good: readonly SinkRow[], refused: readonly SinkDeadLetter[]): Promise<void>;
  search(rows: readonly SinkRow[]): Promise<readonly SinkDeadLetter[]>;
}

export async function setAsideRefused(
  rows: readonly SinkRow[],
  writer: RowWriter,
): Promise<readonly SinkDeadLetter[]> {
  let deadLetters: readonly SinkDeadLetter[] = [];
  let fruitless = 0;
  for (;;) {
    const refused = new Set(deadLetters.map(({ row }) => row));
    const good = rows.filter((row) => !refused.has(row));
    try {
      await writer.write(good, deadLetters);
      return deadLetters;
    } catch (error) {
      if (troubleOf(error) !== 'content' || fruitless === FRUITLESS_SEARCHES) throw error;
    }
    const found = await writer.search(good);
    if (found.length === 0) fruitless++;
    deadLetters = [...deadLetters, ...found];
  }
}
