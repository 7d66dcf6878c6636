/**
 * What is known of a table that an injector reads as a whole, again and again. It is part of the partition's mark, so
 * that it holds from the commit that makes the table whole, whoever reads on.
 */

/** Rows of a reading from scratch carry its index as that of their pane; those of earlier ones are gone from `start`. */
export interface FreshReading {
  readonly index: number;
  readonly start: number;
}

export interface TableStanding {
  /** Whoever has heard this watermark of the injector has every row there is for times below `until`. */
  readonly from: number;
  readonly until: number;
  /** Oldest first; the last few that were whole. */
  readonly fresh: readonly FreshReading[];
}

/** What the next reader of a table must know of the one before. */
export interface TableMemory {
  /** How often the table was read from scratch. */
  readonly count: number;
  readonly standing?: TableStanding | undefined;
}

export const MOST_FRESH_READINGS = 16;

export function isTableMemory(value: unknown): value is TableMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { count, standing } = value as Partial<TableMemory>;
  return isCount(count) && (standing === undefined || isStanding(standing));
}

function isStanding({ from, until, fresh }: Partial<TableStanding>): boolean {
  return (
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(until) &&
    Array.isArray(fresh) &&
    fresh.length <= MOST_FRESH_READINGS &&
    fresh.every(({ index, start }: Partial<FreshReading>) => isCount(index) && Number.isSafeInteger(start))
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
