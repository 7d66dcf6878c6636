/** What was deleted a month ago goes for good. */
import type { Sql, Store } from '@millrace/store';

export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

export interface PurgeOptions extends Pick<Store, 'catalog'> {
  /** Wall time in ms. */
  readonly now: number;
  readonly audit: (sql: Sql, purged: { workspace: string; id: string }) => Promise<void>;
  readonly onTrouble: (error: unknown, id: string) => void;
}

/** Returns how many it took. One that cannot go now, because its tables are in use, goes the next time. */
export async function purgeExpired({ catalog, now, audit, onTrouble }: PurgeOptions): Promise<number> {
  let purged = 0;
  for (const { workspace, id } of await catalog.purging.expired(new Date(now - KEPT_DAYS * DAY_MS))) {
    const write = { by: 'system', alongside: (sql: Sql) => audit(sql, { workspace, id }) };
    const outcome = await catalog.purging.purge(workspace, id, write).catch((error: unknown) => {
      onTrouble(error, id);
    });
    if (outcome === 'purged') purged++;
  }
  return purged;
}
