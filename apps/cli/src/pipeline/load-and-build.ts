/** From a folder on disk to a version that can run: checked and built, or found to be what was built last. */
import { type BuiltVersion, buildVersion, planOf, versionOf } from '@millrace/deployment';
import { hasErrors, type Issue } from '@millrace/graph';
import { buildKey, cachedBuild, keepBuild } from './build-cache.ts';
import { type LoadedPipeline, loadPipeline } from './load-pipeline.ts';

export type BuildOutcome =
  | { readonly kind: 'built'; readonly loaded: LoadedPipeline; readonly built: BuiltVersion }
  | { readonly kind: 'issues'; readonly named: string; readonly issues: readonly Issue[] };

export async function loadAndBuild(
  named: string,
  params: ReadonlyMap<string, string>,
): Promise<BuildOutcome> {
  const graph = await loadPipeline(named, { params, graphOnly: true });
  const key = hasErrors(graph.issues) ? undefined : await buildKey(graph, params);
  const known = key === undefined ? undefined : await cachedBuild(graph.root, key);
  if (known !== undefined) {
    const built = await versionOf(graph, planOf(graph, params), known.bundle, known.sdkVersion);
    return { kind: 'built', loaded: { ...graph, issues: known.issues }, built };
  }
  const loaded = await loadPipeline(named, { params });
  if (hasErrors(loaded.issues)) return { kind: 'issues', named, issues: loaded.issues };
  const built = await buildVersion(loaded, params);
  if ('issues' in built) return { kind: 'issues', named, issues: built.issues };
  if (key !== undefined) {
    const { bundle, stored } = built;
    await keepBuild(loaded.root, key, { issues: loaded.issues, bundle, sdkVersion: stored.sdkVersion });
  }
  return { kind: 'built', loaded, built };
}
