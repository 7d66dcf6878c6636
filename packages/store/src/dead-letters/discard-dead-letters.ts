import { DISCARD_BY_NUMBER, DISCARD_GROUP } from '../queries/redrive-letters.ts';
import type { Sql } from '../sql/database.ts';

export type Discarded =
  | { readonly numbers: readonly number[] }
  | {
      /** Null: letters of before there were groups. */
      readonly group: string | null;
      readonly node?: string | undefined;
      readonly upTo: number;
    };

/** Of a group, at once; the caller goes on until fewer are discarded. */
export const MOST_DISCARDED = 10_000;

/** Forgets dead letters for good; returns how many. */
export function discardDeadLetters(sql: Sql, pipeline: string, what: Discarded): Promise<number> {
  if ('numbers' in what) return sql.change(DISCARD_BY_NUMBER, [pipeline, what.numbers]);
  const { group, node, upTo } = what;
  return sql.change(DISCARD_GROUP, [pipeline, group, node ?? null, upTo, MOST_DISCARDED]);
}
