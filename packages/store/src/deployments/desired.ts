/** The server's side: what people want. */
import type pg from 'pg';
import {
  DEPLOY_HISTORY,
  HOLD_CATALOG_ENTRY,
  INSERT_DEPLOY,
  LOCK_DEPLOYMENT,
  SET_DESIRED,
  SET_WORKERS,
  UPSERT_DEPLOYMENT,
} from '../queries/deployments.ts';
import { type Connections, transact } from '../sql/connections.ts';
import { sqlOf } from '../sql/database.ts';
import { type DeploymentRow, toDeployment } from './deployment-rows.ts';
import type { Deploy, Deployment, DeployRequest, SetDesired, SetWorkers } from './deployment-store.ts';

export function deploy(connections: Connections, request: DeployRequest): Promise<Deployment | 'changed'> {
  return connections.run((session) =>
    transact(session, async (client) => {
      if (await isDeleted(client, request.pipeline)) return 'changed';
      const before = await locked(client, request.pipeline);
      if (!matches(before, request.ifRevision)) return 'changed';
      const { pipeline, workspace, version, desired, workers, dropState } = request;
      const { rows } = await client.query<DeploymentRow>(UPSERT_DEPLOYMENT, [
        pipeline,
        workspace,
        version,
        desired,
        workers,
        request.plannedFrom ?? null,
        dropState,
        request.folder ?? null,
      ]);
      await client.query(INSERT_DEPLOY, [
        pipeline,
        version,
        before?.version ?? null,
        request.actor,
        request.message,
        dropState,
      ]);
      await request.alongside?.(sqlOf(client));
      return toDeployment(rows[0]!);
    }),
  );
}

export function setDesired(
  connections: Connections,
  pipeline: string,
  { desired, abandon = false, ifRevision, alongside }: SetDesired,
): Promise<Deployment | 'absent' | 'changed'> {
  return connections.run((session) =>
    transact(session, async (client) => {
      if (desired !== 'stopped' && (await isDeleted(client, pipeline))) return 'changed';
      const before = await locked(client, pipeline);
      if (before === undefined) return 'absent';
      if (!matches(before, ifRevision)) return 'changed';
      const { rows } = await client.query<DeploymentRow>(SET_DESIRED, [pipeline, desired, abandon]);
      await alongside?.(sqlOf(client));
      return toDeployment(rows[0]!);
    }),
  );
}

export function setWorkers(
  connections: Connections,
  pipeline: string,
  { workers, ifRevision, alongside }: SetWorkers,
): Promise<Deployment | 'absent' | 'changed'> {
  return connections.run((session) =>
    transact(session, async (client) => {
      const before = await locked(client, pipeline);
      if (before === undefined) return 'absent';
      if (!matches(before, ifRevision)) return 'changed';
      const { rows } = await client.query<DeploymentRow>(SET_WORKERS, [pipeline, workers]);
      await alongside?.(sqlOf(client));
      return toDeployment(rows[0]!);
    }),
  );
}

/** Held to the end of the transaction: nobody deletes a pipeline that is just being started. */
async function isDeleted(client: pg.Client, pipeline: string): Promise<boolean> {
  const { rows } = await client.query<{ deleted: boolean }>(HOLD_CATALOG_ENTRY, [pipeline]);
  return rows[0]?.deleted === true;
}

interface DeployRow {
  number: number;
  version: number;
  previous: number | null;
  actor: string;
  message: string;
  dropped: string[];
  deployed_at: Date;
}

export async function deployHistory(
  connections: Connections,
  pipeline: string,
  { before = 2 ** 31 - 1, limit }: { before?: number; limit: number },
): Promise<readonly Deploy[]> {
  const { rows } = await connections.run(({ client }) =>
    client.query<DeployRow>(DEPLOY_HISTORY, [pipeline, before, limit]),
  );
  return rows.map(({ previous, deployed_at: deployedAt, ...row }) => ({
    ...row,
    previous: previous ?? undefined,
    deployedAt: deployedAt.getTime(),
  }));
}

async function locked(client: pg.Client, pipeline: string): Promise<Deployment | undefined> {
  const { rows } = await client.query<DeploymentRow>(LOCK_DEPLOYMENT, [pipeline]);
  return rows[0] && toDeployment(rows[0]);
}

function matches(before: Deployment | undefined, ifRevision: number | undefined): boolean {
  return ifRevision === undefined || (before?.revision ?? 0) === ifRevision;
}
