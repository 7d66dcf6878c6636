import type { DesiredState, ObservedState } from '@millrace/protocol/control';
import {
  ALL_DEPLOYMENTS,
  DELETE_DEPLOYMENT,
  GET_DEPLOYMENT,
  LIST_DEPLOYMENTS,
  PAUSE_ALL,
} from '../queries/deployments.ts';
import type { Connections } from '../sql/connections.ts';
import type { Deployment, DeploymentStore } from './deployment-store.ts';

export interface DeploymentRow {
  pipeline: string;
  workspace: string;
  version: number;
  desired: DesiredState;
  abandon: boolean;
  workers: number;
  planned_from: number | null;
  drop_state: string[];
  folder: string | null;
  revision: string;
  changed_at: Date;
  observed: ObservedState;
  reason: string | null;
  observed_version: number | null;
  observed_revision: string;
  observed_at: Date;
  retry_at: Date | null;
  started_at: Date | null;
  start_crashes: number;
}

export function toDeployment(row: DeploymentRow): Deployment {
  return {
    pipeline: row.pipeline,
    workspace: row.workspace,
    version: row.version,
    desired: row.desired,
    abandon: row.abandon,
    workers: row.workers,
    plannedFrom: row.planned_from ?? undefined,
    dropState: row.drop_state,
    folder: row.folder ?? undefined,
    revision: Number(row.revision),
    changedAt: row.changed_at.getTime(),
    observed: row.observed,
    reason: row.reason ?? undefined,
    observedVersion: row.observed_version ?? undefined,
    observedRevision: Number(row.observed_revision),
    observedAt: row.observed_at.getTime(),
    retryAt: row.retry_at?.getTime(),
    startedAt: row.started_at?.getTime(),
    startCrashes: row.start_crashes,
  };
}

type Reads = Pick<DeploymentStore, 'get' | 'list' | 'all' | 'pauseAll' | 'remove'>;

export function readDeployments(connections: Connections): Reads {
  const rows = (text: string, values: readonly unknown[]) =>
    connections.run(async ({ client }) =>
      (await client.query<DeploymentRow>(text, [...values])).rows.map(toDeployment),
    );
  return {
    get: async (pipeline) => (await rows(GET_DEPLOYMENT, [pipeline]))[0],
    list: (workspace) => rows(LIST_DEPLOYMENTS, [workspace]),
    all: () => rows(ALL_DEPLOYMENTS, []),
    pauseAll: () =>
      connections.run(async ({ client }) =>
        (await client.query<{ pipeline: string }>(PAUSE_ALL)).rows.map(({ pipeline }) => pipeline),
      ),
    async remove(pipeline) {
      await connections.run(({ client }) => client.query(DELETE_DEPLOYMENT, [pipeline]));
    },
  };
}
