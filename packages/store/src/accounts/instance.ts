/** The row of this installation, and of its workspaces. */
import type { Sql } from '../sql/database.ts';

const INSTANCE = 'select id from millrace.instance';
/** $1 workspace. */
const WORKSPACE = 'select id, name from millrace.workspaces where id = $1';
/** $1 workspace, $2 name. */
const RENAME = 'update millrace.workspaces set name = $2 where id = $1';

export interface Workspace {
  readonly id: string;
  readonly name: string;
}

export async function instanceId(sql: Sql): Promise<string> {
  const [row] = await sql.rows<{ id: string }>(INSTANCE);
  return row!.id;
}

export async function findWorkspace(sql: Sql, id: string): Promise<Workspace | undefined> {
  return (await sql.rows<Workspace>(WORKSPACE, [id]))[0];
}

export async function renameWorkspace(sql: Sql, id: string, name: string): Promise<void> {
  await sql.change(RENAME, [id, name]);
}
