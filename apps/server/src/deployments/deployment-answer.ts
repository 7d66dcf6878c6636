import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { Deployment } from '@millrace/store';

export type DeploymentAnswer = AnswerOf<RouteOf<'deployments.get'>>;

export function deploymentAnswer(deployment: Deployment, engineReady: boolean): DeploymentAnswer {
  const { pipeline, version, desired, workers, revision, changedAt, startedAt } = deployment;
  return {
    pipeline,
    version,
    desired,
    workers,
    revision,
    changedAt,
    observed: {
      state: deployment.observed,
      reason: deployment.reason ?? null,
      since: deployment.observedAt,
      retryAt: deployment.retryAt ?? null,
      version: deployment.observedVersion ?? null,
      upToDate: deployment.observedRevision === revision,
    },
    startedAt: startedAt ?? null,
    engine: engineReady ? 'ready' : 'away',
  };
}
