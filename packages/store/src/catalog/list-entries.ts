/** A page of a workspace's pipelines: filtered, sorted, from where the last page ended. */
import type pg from 'pg';
import { type CatalogEntry, ENTRY_COLUMNS, type EntryRow, toEntry } from './catalog-entry.ts';
import { searchTerms } from './search-text.ts';

export type EntrySort = 'name' | 'updated' | 'created';

/** The last entry of a page, as the next one needs it. */
export interface EntryPosition {
  readonly value: string;
  readonly id: string;
}

export interface EntryQuery {
  readonly workspace: string;
  /** Words that must all be found in name, description, tags, code or settings. */
  readonly search?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly deleted?: boolean;
  /** Only samples, or none of them; all when not given. */
  readonly readOnly?: boolean | undefined;
  readonly sort: EntrySort;
  readonly descending: boolean;
  readonly after?: EntryPosition | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

export interface EntryPage {
  readonly entries: readonly CatalogEntry[];
  readonly next: EntryPosition | undefined;
}

/** Microseconds since 1970: a `Date` would cut them off and a page would repeat its last entry. */
const micros = (column: string): string => `(extract(epoch from ${column}) * 1000000)::int8`;

const SORT_VALUES: Record<EntrySort, { readonly sql: string; readonly cast: string }> = {
  name: { sql: 'e.name_key', cast: '::text collate "C"' },
  updated: { sql: micros('greatest(e.updated_at, d.updated_at)'), cast: '::int8' },
  created: { sql: micros('e.created_at'), cast: '::int8' },
};

/** $1 workspace, $2 deleted, $3 terms, $4 tags, $5 value and $6 id of the last entry, $7 limit, $8 read-only. */
function listStatement(sort: EntrySort, descending: boolean): string {
  const { sql, cast } = SORT_VALUES[sort];
  const order = descending ? 'desc' : 'asc';
  return `
select ${ENTRY_COLUMNS}, (${sql})::text as sort_value
  from millrace.catalog_entries e join millrace.drafts d on d.pipeline = e.id
 where e.workspace = $1 and (e.deleted_at is not null) = $2::bool
   and not exists (select from unnest($3::text[]) as t (term)
                    where position(t.term in e.search_text) = 0 and position(t.term in d.search_text) = 0)
   and e.tags @> $4::text[]
   and ($8::bool is null or e.read_only = $8)
   and ($6::text is null or (${sql}, e.id collate "C") ${descending ? '<' : '>'} ($5${cast}, $6::text collate "C"))
 order by ${sql} ${order}, e.id collate "C" ${order}
 limit $7`;
}

export async function listEntries(client: pg.Client, query: EntryQuery): Promise<EntryPage> {
  const { workspace, deleted = false, search = '', tags = [], readOnly, after, limit } = query;
  const { rows } = await client.query<EntryRow & { sort_value: string }>(
    listStatement(query.sort, query.descending),
    [
      ...[workspace, deleted, searchTerms(search), [...tags]],
      ...[after?.value ?? null, after?.id ?? null, limit + 1, readOnly ?? null],
    ],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next =
    rows.length > limit && last !== undefined ? { value: last.sort_value, id: last.id } : undefined;
  return { entries: shown.map(toEntry), next };
}
