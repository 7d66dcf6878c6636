/** From a checked pipeline to what is stored and run: plan, code bundle, hash. */
import { buildBundle } from '@millrace/compiler';
import type { StoredVersion } from '@millrace/engine';
import {
  compilePlan,
  hashProgram,
  type Issue,
  type Overrides,
  type RunPlan,
  resolveParameters,
  writeFolder,
} from '@millrace/graph';
import type { LoadedPipeline } from './load-pipeline.ts';

export interface BuiltVersion {
  readonly plan: RunPlan;
  readonly bundle: string;
  readonly stored: Omit<StoredVersion, 'number'>;
}

export async function buildVersion(
  { folder, types }: LoadedPipeline,
  params: Overrides,
): Promise<BuiltVersion | { readonly issues: readonly Issue[] }> {
  const { values } = resolveParameters(folder.pipeline.parameters, params);
  const plan = compilePlan(folder.pipeline, types, values);
  const built = await buildBundle(folder, plan);
  if (built.kind === 'failed') return { issues: built.issues };
  const canonical = writeFolder(folder.pipeline, folder.files);
  return {
    plan,
    bundle: built.code,
    stored: {
      hash: await hashProgram(canonical),
      folder: JSON.stringify([...canonical]),
      plan: JSON.stringify(plan),
      bundle: built.code,
      sdkVersion: built.sdkVersion,
    },
  };
}

/** The folder of a stored version, as `buildVersion` wrote it. */
export function storedFiles(version: StoredVersion): ReadonlyMap<string, string> {
  const entries: unknown = JSON.parse(version.folder);
  if (!Array.isArray(entries)) throw new Error(`version ${version.number} was stored by another Millrace.`);
  return new Map(entries as [string, string][]);
}

export const storedPlan = (version: StoredVersion): RunPlan => JSON.parse(version.plan) as RunPlan;
