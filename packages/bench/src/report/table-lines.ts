/** The table of one benchmark: a figure a line, with its spread, its target and whether it is reached. */
import type { Figure, Measured } from '../benchmark.ts';
import { numberText } from './numbers.ts';
import { median } from './statistics.ts';

export function tableLines(title: string, measured: Measured): string[] {
  const rows = measured.figures.map(columnsOf);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string => {
    const [name = '', value = '', unit = '', spread = '', target = ''] = row;
    const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = widths;
    const cells = [name.padEnd(w0), value.padStart(w1), unit.padEnd(w2), spread.padEnd(w3), target];
    return `  ${cells.join('  ').trimEnd()}`;
  };
  return [title, ...rows.map(line), ...measured.notes.map((note) => `  · ${note}`)];
}

function columnsOf({ name, unit, values, target }: Figure): string[] {
  const spread =
    values.length < 2 ? '' : `(${numberText(Math.min(...values))} … ${numberText(Math.max(...values))})`;
  if (target === undefined) return [name, numberText(median(values)), unit, spread, ''];
  return [
    name,
    numberText(median(values)),
    unit,
    spread,
    `${target.text}: ${verdict(median(values), target)}`,
  ];
}

function verdict(value: number, { due, full, better }: NonNullable<Figure['target']>): string {
  const reaches = (bound: number): boolean => (better === 'higher' ? value >= bound : value <= bound);
  if (reaches(full)) return 'reached';
  if (reaches(due)) return `due now (${numberText(due)}) reached`;
  return `MISSED, due now is ${numberText(due)}`;
}
