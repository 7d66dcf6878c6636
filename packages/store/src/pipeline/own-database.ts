/**
 * What an injector may read of the database Millrace itself uses: a connection of its own, so that nothing waits for a
 * long reading, which acts as `millrace_data` where that role exists. Behind the walls of a server there is none
 * where it does not.
 */
import type { ConnectorContext, SqlConnection } from '@millrace/engine';
import { StoreError } from '../errors.ts';
import type { DataRole } from '../migrations/data-role.ts';
import type { Connections } from '../sql/connections.ts';

export async function openOwnDatabase(
  connections: Connections,
  dataRole: DataRole,
  { nodeName, walls }: ConnectorContext,
): Promise<SqlConnection> {
  if (dataRole.kind === 'off' && walls !== undefined)
    throw new StoreError(
      'data-role-off',
      `Node "${nodeName}" could not read its table: on a server, tables are read as a role of their own only. ${dataRole.reason} Give DATABASE_URL a user that may create roles, or this node a database of its own with \`url\`.`,
      { domain: 'user' },
    );
  const { client } = await connections.open();
  try {
    if (dataRole.kind === 'ready') await client.query('set role millrace_data');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    query: (text, values) => client.query<Record<string, unknown>>(text, values && [...values]),
    close: () => client.end().catch(() => undefined),
  };
}
