/**
 * Whether a version can follow the one that is active, looked at while that one still runs (DE1): its sources
 * open, and no state goes that nobody agreed to lose.
 */
import { connectors } from '@millrace/connectors';
import { builtOf, openUserCode, planDeploy, storedPlan, trySources } from '@millrace/deployment';
import type { PipelineStore, StoredVersion } from '@millrace/engine';
import type { Deployment } from '@millrace/store';
import { contextOf, type Placed, type Surroundings } from './version-run.ts';

/** `passing`: it may be otherwise later. */
export type Verdict =
  | { readonly kind: 'able' }
  | { readonly kind: 'unable'; readonly error: string; readonly passing: boolean };

export type CheckVersion = (pipeline: PipelineStore, wish: Deployment) => Promise<Verdict>;

const SOURCES_LIMIT_MS = 30_000;

export function checkingVersions(surroundings: Surroundings): CheckVersion {
  return async (pipeline, wish) => {
    const version = await pipeline.versions.get(wish.version);
    if (version === undefined) return { kind: 'unable', error: 'it is not stored', passing: false };
    const losing = await unagreed(pipeline, wish, version);
    if (losing.length > 0)
      return {
        kind: 'unable',
        error: `state of ${losing.join(', ')} would go, and nobody agreed to that: deploy it again and look at the plan`,
        passing: false,
      };
    const trouble = await sourceTrouble(surroundings, wish, version);
    return trouble === undefined ? { kind: 'able' } : { kind: 'unable', error: trouble, passing: true };
  };
}

/** Why a version's sources cannot be read; undefined when they can. */
export async function sourceTrouble(
  surroundings: Surroundings,
  deployment: Placed,
  version: StoredVersion,
): Promise<string | undefined> {
  const context = await contextOf(surroundings, deployment);
  const tried = trySources(storedPlan(version), connectors, context);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(
      resolve,
      SOURCES_LIMIT_MS,
      `its sources did not open within ${SOURCES_LIMIT_MS / 1000} s`,
    );
  });
  return Promise.race([tried, late]).finally(() => clearTimeout(timer));
}

/** The plan was agreed against `plannedFrom`; where another version became active meanwhile it is made again. */
async function unagreed(
  pipeline: PipelineStore,
  wish: Deployment,
  version: StoredVersion,
): Promise<readonly string[]> {
  const current = await pipeline.versions.current();
  if (current === undefined || current.number === wish.version || current.number === wish.plannedFrom)
    return [];
  if ((await pipeline.lastPosition()) === 0) return [];
  const userCode = await openUserCode();
  const plan = await planDeploy(current, builtOf(version), userCode).finally(() => userCode.close());
  return plan.losing.filter((node) => !wish.dropState.includes(node));
}
