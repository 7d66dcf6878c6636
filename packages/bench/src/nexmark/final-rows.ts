/** From what a query's sink got to the rows of its answer: a query that corrects itself counts by its last word. */
import type { Row } from './answers.ts';

export interface SinkRecord {
  readonly key: string;
  readonly value: unknown;
  readonly timestamp: number;
}

type Values = Readonly<Record<string, unknown>>;

/** Records of one key must be in their order. */
export function finalRows(query: string, records: readonly SinkRecord[]): Row[] {
  switch (query) {
    case 'q4':
    case 'q6':
    case 'q18':
      return lastOfKeys(records).map(rowOf);
    case 'q19':
      return lastOfKeys(records).flatMap(({ value }) => {
        const { auction, bids } = value as { auction: number; bids: readonly Values[] };
        return bids.map((bid) => [auction, ...Object.values(bid)]);
      });
    default:
      return records.map(rowOf);
  }
}

/** As texts in one order, to compare. */
export const sortedRows = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

const rowOf = ({ value }: SinkRecord): Row => Object.values(value as Values);

function lastOfKeys(records: readonly SinkRecord[]): SinkRecord[] {
  const last = new Map<string, SinkRecord>();
  for (const record of records) last.set(record.key, record);
  return [...last.values()];
}
