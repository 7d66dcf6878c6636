/** The engine host's side: what it sees, under the number it claimed. */
import type { Observation } from '@millrace/protocol/control';
import {
  CLAIM_DEPLOYMENTS,
  DELETE_HOSTS,
  GET_DEPLOYMENT,
  INSERT_HOST,
  OBSERVE,
  OLDER_HOSTS,
} from '../queries/deployments.ts';
import { type Connections, transact } from '../sql/connections.ts';
import { type DeploymentRow, toDeployment } from './deployment-rows.ts';
import type { HostClaim, HostIdentity } from './deployment-store.ts';

interface HostRow {
  number: number;
  pid: number;
  host_name: string;
  process_started: string;
}

/** A lost answer leads to a second number for the same process, which is the one that counts. */
export function claimDeployments(
  connections: Connections,
  { pid, hostName, processStarted }: HostIdentity,
): Promise<HostClaim> {
  return connections.run((session) =>
    transact(session, async (client) => {
      const made = await client.query<{ number: number }>(INSERT_HOST, [pid, hostName, processStarted]);
      const host = made.rows[0]!.number;
      const older = await client.query<HostRow>(OLDER_HOSTS, [host]);
      const claimed = await client.query<DeploymentRow>(CLAIM_DEPLOYMENTS, [host]);
      return {
        host,
        deployments: claimed.rows.map(toDeployment),
        older: older.rows.map((row) => ({
          number: row.number,
          pid: row.pid,
          hostName: row.host_name,
          processStarted: row.process_started,
        })),
      };
    }),
  );
}

export async function forgetHosts(connections: Connections, numbers: readonly number[]): Promise<void> {
  await connections.run(({ client }) => client.query(DELETE_HOSTS, [numbers]));
}

export async function observe(
  connections: Connections,
  host: number,
  { pipeline, state, reason, since, retryAt, version, revision }: Observation,
): Promise<'kept' | 'fenced'> {
  const values = [
    pipeline,
    host,
    state,
    reason ?? null,
    version ?? null,
    revision,
    new Date(since),
    retryAt === undefined ? null : new Date(retryAt),
  ];
  return connections.run(async ({ client }) => {
    const { rowCount } = await client.query(OBSERVE, values);
    if (rowCount === 1) return 'kept';
    // A deployment that was removed meanwhile has nothing to be observed.
    return (await client.query(GET_DEPLOYMENT, [pipeline])).rowCount === 0 ? 'kept' : 'fenced';
  });
}
