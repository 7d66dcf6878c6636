/** Compares the version that ran last with the new one. */
import type { StoredVersion } from '@millrace/engine';
import { diffPipelines, type RunPlan, readFolder } from '@millrace/graph';
import type { UserCode } from '../user-code/user-code.ts';
import { type BuiltVersion, storedFiles, storedPlan } from '../version/build-version.ts';
import { type DeployPlan, decideDeploy } from './deploy-decision.ts';

export async function planDeploy(
  old: StoredVersion,
  now: BuiltVersion,
  userCode: UserCode,
): Promise<DeployPlan> {
  const before = storedPlan(old);
  const changes = diffPipelines(
    side(storedFiles(old), before),
    side(new Map(JSON.parse(now.stored.folder)), now.plan),
  );
  const oldFacts = await userCode.facts({ bundle: old.bundle, params: before.params });
  const newFacts = await userCode.facts({ bundle: now.bundle, params: now.plan.params });
  return decideDeploy(changes.nodes, { plan: before, facts: oldFacts }, { plan: now.plan, facts: newFacts });
}

function side(files: ReadonlyMap<string, string>, plan: RunPlan) {
  const { pipeline, files: read } = readFolder(files);
  return { pipeline, files: read, params: plan.params };
}
