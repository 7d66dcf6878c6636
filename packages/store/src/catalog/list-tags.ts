/** The tags people gave the pipelines of a workspace. */
import type pg from 'pg';

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

/** $1 workspace. */
const LIST_TAGS = `
select t.tag, count(*)::int4 as count
  from millrace.catalog_entries e, unnest(e.tags) as t (tag)
 where e.workspace = $1 and e.deleted_at is null
 group by t.tag
 order by count(*) desc, t.tag collate "C"
 limit 500`;

export async function listTags(client: pg.Client, workspace: string): Promise<readonly TagCount[]> {
  return (await client.query<TagCount>(LIST_TAGS, [workspace])).rows;
}
