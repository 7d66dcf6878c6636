/** Dead letters as people look at them: newest first, by node, by cause. */
import type { DeadLetterRow } from '@millrace/engine';
import {
  DEAD_LETTER,
  DEAD_LETTER_COUNTS,
  DEAD_LETTER_GROUPS,
  DEAD_LETTER_PAGE,
} from '../queries/dead-letters.ts';
import type { Sql } from '../sql/database.ts';

export interface DeadLetterEntry extends Omit<DeadLetterRow, 'redrive'> {
  /** Its place in the list; larger is newer. */
  readonly number: number;
  readonly recordedAt: Date;
  /** Undefined for letters recorded before there were groups. */
  readonly group: string | undefined;
  /** How often its input was tried again before this failure. */
  readonly redriven: number;
  /** Whether enough was kept to deliver it again. */
  readonly redrivable: boolean;
}

export interface DeadLetterFilter {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly node?: string | undefined;
  readonly group?: string | undefined;
}

export interface DeadLetterGroup {
  readonly group: string | undefined;
  readonly node: string;
  readonly error: string;
  readonly place: string | undefined;
  /** Among the latest `LOOKED_AT` letters. */
  readonly count: number;
  readonly newest: number;
  readonly newestAt: Date;
  readonly oldestAt: Date;
}

interface Row {
  number: number;
  recorded_at: Date;
  group: string | null;
  redriven: number;
  redrivable: boolean;
  detail: string;
}

interface GroupRow {
  group: string | null;
  node: string;
  error: string;
  place: string | null;
  count: number;
  newest: number;
  newest_at: Date;
  oldest_at: Date;
}

const LOOKED_AT = 100_000;
const MOST_GROUPS = 200;

export async function listDeadLetters(
  sql: Sql,
  pipeline: string,
  { before, limit, node, group }: DeadLetterFilter,
): Promise<readonly DeadLetterEntry[]> {
  if (group !== undefined && !/^[0-9a-f]{64}$/.test(group)) return [];
  const values = [pipeline, before ?? null, limit, node ?? null, group ?? null];
  return (await sql.rows<Row>(DEAD_LETTER_PAGE, values)).map(toEntry);
}

export async function getDeadLetter(
  sql: Sql,
  pipeline: string,
  number: number,
): Promise<DeadLetterEntry | undefined> {
  const [row] = await sql.rows<Row>(DEAD_LETTER, [pipeline, number]);
  return row && toEntry(row);
}

/** How many there are of each node, among the latest `LOOKED_AT`. */
export async function countDeadLetters(sql: Sql, pipeline: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.rows<{ node: string; count: number }>(DEAD_LETTER_COUNTS, [pipeline, LOOKED_AT]);
  return new Map(rows.map(({ node, count }) => [node, count]));
}

export async function groupDeadLetters(
  sql: Sql,
  pipeline: string,
  node?: string | undefined,
): Promise<readonly DeadLetterGroup[]> {
  const rows = await sql.rows<GroupRow>(DEAD_LETTER_GROUPS, [pipeline, node ?? null, LOOKED_AT, MOST_GROUPS]);
  return rows.map((row) => ({
    group: row.group ?? undefined,
    node: row.node,
    error: row.error,
    place: row.place ?? undefined,
    count: row.count,
    newest: row.newest,
    newestAt: row.newest_at,
    oldestAt: row.oldest_at,
  }));
}

function toEntry({ number, recorded_at, group, redriven, redrivable, detail }: Row): DeadLetterEntry {
  return {
    ...(JSON.parse(detail) as DeadLetterRow),
    number,
    redriven,
    redrivable,
    recordedAt: recorded_at,
    group: group ?? undefined,
  };
}
