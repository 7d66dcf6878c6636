import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { Deployment } from '@millrace/store';
import type { Actor } from '../http/actor.ts';
import { shownReason } from './shown-reason.ts';

export type DeploymentAnswer = AnswerOf<RouteOf<'deployments.get'>>;

/** As `actor` may see it. */
export function deploymentAnswer(
  deployment: Deployment,
  actor: Actor,
  engineReady: boolean,
): DeploymentAnswer {
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
      reason: shownReason(actor, pipeline, deployment.reason) ?? null,
      since: deployment.observedAt,
      retryAt: deployment.retryAt ?? null,
      version: deployment.observedVersion ?? null,
      upToDate: deployment.observedRevision === revision,
    },
    startedAt: startedAt ?? null,
    engine: engineReady ? 'ready' : 'away',
  };
}
