/** What an admin lets the connectors of a workspace reach beyond its own folder and the public network. */
import {
  CHANGE_ACCESS_SETTINGS,
  GET_ACCESS_SETTINGS,
  PUT_ACCESS_SETTINGS,
} from '../queries/access-settings.ts';
import type { Database, Sql } from '../sql/database.ts';

export interface AccessSettings {
  /** Real paths. */
  readonly folders: readonly string[];
  /** `name` or address, either with `:port`. */
  readonly hosts: readonly string[];
}

export interface StoredAccessSettings extends AccessSettings {
  /** 0: nothing was ever written. */
  readonly version: number;
}

export interface AccessStore {
  read(workspace: string): Promise<StoredAccessSettings>;
  /** `ifVersion`: the version that was read; another one there now is `changed`. */
  write(
    workspace: string,
    settings: AccessSettings,
    who: {
      readonly actor: string;
      readonly ifVersion: number;
      /** Runs in the same transaction: the audit log. */
      readonly also?: (sql: Sql) => Promise<void>;
    },
  ): Promise<StoredAccessSettings | 'changed'>;
}

export function accessStore(database: Database): AccessStore {
  return {
    async read(workspace) {
      const [row] = await database.rows<{ folders: string[]; hosts: string[]; version: string }>(
        GET_ACCESS_SETTINGS,
        [workspace],
      );
      if (row === undefined) return { folders: [], hosts: [], version: 0 };
      return { ...row, version: Number(row.version) };
    },
    write: (workspace, { folders, hosts }, { actor, ifVersion, also }) =>
      database.transact(async (sql) => {
        const statement = ifVersion === 0 ? PUT_ACCESS_SETTINGS : CHANGE_ACCESS_SETTINGS;
        const values = [workspace, folders, hosts, actor, ifVersion];
        const [row] = await sql.rows<{ version: string }>(statement, values);
        if (row === undefined) return 'changed';
        await also?.(sql);
        return { folders, hosts, version: Number(row.version) };
      }),
  };
}
