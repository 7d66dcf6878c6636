/** From a checked pipeline to what is stored and run: plan, code bundle, hash. */
import { buildBundle } from '@millrace/compiler';
import type { StoredVersion } from '@millrace/engine';
import {
  compilePlan,
  hashProgram,
  type Issue,
  type NodeTypes,
  type Overrides,
  type PipelineFolder,
  type RunPlan,
  resolveParameters,
  writeFolder,
} from '@millrace/graph';

/** A folder without errors, and the node types it was read with. */
export interface CheckedPipeline {
  readonly folder: PipelineFolder;
  readonly types: NodeTypes;
}

export interface BuiltVersion {
  readonly plan: RunPlan;
  readonly bundle: string;
  readonly stored: Omit<StoredVersion, 'number'>;
}

export async function buildVersion(
  loaded: CheckedPipeline,
  params: Overrides,
): Promise<BuiltVersion | { readonly issues: readonly Issue[] }> {
  const plan = planOf(loaded, params);
  const built = await buildBundle(loaded.folder, plan);
  return built.kind === 'failed'
    ? { issues: built.issues }
    : versionOf(loaded, plan, built.code, built.sdkVersion);
}

export function planOf({ folder, types }: CheckedPipeline, params: Overrides): RunPlan {
  const { values } = resolveParameters(folder.pipeline.parameters, params);
  return compilePlan(folder.pipeline, types, values);
}

/** What is stored of a pipeline whose code bundle is known. */
export async function versionOf(
  { folder }: CheckedPipeline,
  plan: RunPlan,
  bundle: string,
  sdkVersion: string,
): Promise<BuiltVersion> {
  const canonical = writeFolder(folder.pipeline, folder.files);
  return {
    plan,
    bundle,
    stored: {
      hash: await hashProgram(canonical),
      folder: JSON.stringify([...canonical]),
      plan: JSON.stringify(plan),
      bundle,
      sdkVersion,
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

/** A stored version as it was when it was built. */
export function builtOf({ number: _, ...stored }: StoredVersion): BuiltVersion {
  return { plan: JSON.parse(stored.plan) as RunPlan, bundle: stored.bundle, stored };
}
