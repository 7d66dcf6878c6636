/** From rows to what the routes answer. */
import type { Issue } from '@millrace/graph';
import type { CatalogEntry, Deployment, VersionEntry } from '@millrace/store';
import { shownReason } from '../deployments/shown-reason.ts';
import type { Actor } from '../http/actor.ts';
import { Problem, retryLater } from '../http/problem.ts';
import type { Queued } from './compile/compile-queue.ts';
import type { FolderDiff } from './folder/diff-folders.ts';

/** As `actor` may see it. */
export function pipelineAnswer(entry: CatalogEntry, deployment: Deployment | undefined, actor: Actor) {
  return {
    id: entry.id,
    name: entry.name,
    description: entry.description,
    tags: [...entry.tags],
    revision: entry.revision,
    draftRevision: entry.draftRevision,
    newestVersion: entry.newestVersion ?? null,
    sample: entry.sample ?? null,
    readOnly: entry.readOnly,
    filesFolder: entry.root,
    createdBy: entry.createdBy,
    createdAt: entry.createdAt.getTime(),
    updatedBy: entry.updatedBy,
    updatedAt: entry.updatedAt.getTime(),
    deletedBy: entry.deletedBy ?? null,
    deletedAt: entry.deletedAt?.getTime() ?? null,
    deployment: deployment === undefined ? null : deploymentAnswer(deployment, actor),
  };
}

function deploymentAnswer(deployment: Deployment, actor: Actor) {
  const { pipeline, desired, observed, version, observedVersion, reason } = deployment;
  return {
    desired,
    observed,
    version,
    running: observedVersion ?? null,
    reason: shownReason(actor, pipeline, reason) ?? null,
  };
}

export function versionAnswer(version: VersionEntry) {
  return {
    number: version.number,
    hash: version.hash,
    message: version.message,
    author: version.author ?? null,
    parent: version.parent ?? null,
    sdkVersion: version.sdkVersion,
    compilerVersion: version.compilerVersion ?? null,
    createdAt: version.createdAt.getTime(),
  };
}

export function diffAnswer(diff: FolderDiff) {
  return {
    same: diff.same,
    name: diff.name ?? null,
    nodes: diff.nodes.map((node) => ({ ...node, changes: [...node.changes] })),
    streams: [...diff.streams],
    files: diff.files.map(({ path, kind, before, after }) => ({
      path,
      kind,
      before: before ?? null,
      after: after ?? null,
    })),
  };
}

export const issuesAnswer = (issues: readonly Issue[]): Issue[] => [...issues];

/** All of them, with their places: one corrects everything before one tries again. */
export function hasIssues(issues: readonly Issue[]): Problem {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const detail = `The pipeline has ${errors} ${errors === 1 ? 'error' : 'errors'}; correct them and try again.`;
  return new Problem(422, 'has-issues', detail, { members: { pipelineIssues: issues } });
}

export function refusedFolder(
  faults: readonly { readonly path?: string; readonly message: string }[],
): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : '';
  return new Problem(422, 'bad-folder', `${first?.message ?? 'This is no pipeline.'}${more}`, {
    issues: faults.slice(0, 100).map(({ path = '', message }) => ({ path, message })),
  });
}

export function doneOrBusy<T>(queued: Queued<T>): T {
  if (queued.kind === 'done') return queued.result;
  const detail = 'Too many checks are waiting already; try again in a moment.';
  throw retryLater(429, 'checks-waiting', detail, queued.retryAfterSeconds);
}
