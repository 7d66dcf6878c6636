/** The end of a deleted pipeline: everything stored under it goes, in one transaction (C4). */
import type pg from 'pg';
import { leafName, SEGMENTS } from '../queries/leaf.ts';
import { RESET } from '../queries/reset.ts';
import { type Connections, transact } from '../sql/connections.ts';
import { sqlOf } from '../sql/database.ts';
import type { Write } from './catalog-entry.ts';
import { isDeleted } from './find-entry.ts';

export interface Purging {
  /** `not-deleted`: only what was deleted before can be purged. */
  purge(workspace: string, id: string, write: Write): Promise<'purged' | 'not-deleted' | 'not-found'>;
  /** Deleted before that moment. */
  expired(before: Date): Promise<readonly { readonly workspace: string; readonly id: string }[]>;
}

/** $1 moment. */
const EXPIRED = `
select workspace, id from millrace.catalog_entries where deleted_at < $1 order by deleted_at limit 1000`;

/** $1 id. */
const FIND_PIPELINE = `
select number from millrace.pipelines where id = $1 for update`;

/** $1 pipeline. In the order that the references between them ask for. */
const FORGET: readonly string[] = [
  ...RESET,
  'delete from millrace.leases where pipeline = $1::int4',
  'update millrace.pipelines set current_version = null where number = $1::int4',
  'delete from millrace.versions where pipeline = $1::int4',
  'delete from millrace.pipelines where number = $1::int4',
];

/** $1 id. */
const DELETE_ENTRY: readonly string[] = [
  'delete from millrace.metrics where pipeline = $1',
  'delete from millrace.deployments where pipeline = $1',
  'delete from millrace.catalog_entries where id = $1',
];

export function purging(connections: Connections): Purging {
  return {
    purge: (workspace, id, write) =>
      connections.run((session, uncertain) =>
        transact(session, async (client) => {
          const deleted = await isDeleted(client, workspace, id);
          // An attempt whose answer was lost may have been the one that did it.
          if (deleted === undefined) return uncertain ? 'purged' : 'not-found';
          if (!deleted) return 'not-deleted';
          await forgetPipeline(client, id);
          for (const text of DELETE_ENTRY) await client.query(text, [id]);
          await write.alongside?.(sqlOf(client));
          return 'purged';
        }),
      ),
    expired: (before) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<{ workspace: string; id: string }>(EXPIRED, [before]);
        return rows;
      }),
  };
}

async function forgetPipeline(client: pg.Client, id: string): Promise<void> {
  const { rows } = await client.query<{ number: number }>(FIND_PIPELINE, [id]);
  const pipeline = rows[0]?.number;
  if (pipeline === undefined) return;
  // Dropping a segment locks the log of all pipelines: never wait for it while others commit.
  await client.query("set local lock_timeout = '2s'");
  for (let segment = 0; segment < SEGMENTS; segment++) {
    await client.query(`drop table if exists ${leafName(pipeline, segment)}`);
  }
  for (const text of FORGET) await client.query(text, [pipeline]);
}
