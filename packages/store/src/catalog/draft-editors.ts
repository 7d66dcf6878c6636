/** Whose edits a draft has got since a moment: what goes out with it. */
import type pg from 'pg';

export interface DraftEditor {
  /** Of an account; a token has the name its owner gave it. */
  readonly name: string;
  readonly at: Date;
}

/**
 * $1 workspace, $2 pipeline, $3 since.
 *
 * The log tells of somebody's edits with the first and then hourly, rows of the document tell of each until they are
 * made one: both together miss nobody whose edits are younger than that. A row alone proves nothing: the first is of
 * whoever opened the draft.
 */
const LIST_EDITORS = `
with told as (
  select actor, actor_name, at
    from millrace.audit_events
   where workspace = $1 and target = $2
     and action in ('draft.edited', 'draft.saved', 'draft.restored', 'draft.imported')
), edits as (
  select actor_name as name, at from told where at > $3
  union all
  select t.actor_name, u.updated_at
    from millrace.document_updates u
    join (select distinct actor, actor_name from told) t on t.actor = u.updated_by
   where u.pipeline = $2 and u.updated_at > $3
)
select name, max(at) as at from edits group by name order by max(at) desc limit 50`;

export async function listDraftEditors(
  client: pg.Client,
  workspace: string,
  pipeline: string,
  since: Date,
): Promise<readonly DraftEditor[]> {
  return (await client.query<DraftEditor>(LIST_EDITORS, [workspace, pipeline, since])).rows;
}
