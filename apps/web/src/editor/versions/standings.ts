/**
 * How the draft stands to what runs, node by node: matched by id, since state follows the id. Pure.
 *
 * A node is `new` (not deployed), `changed`, or `same`: only of a node that is the same may what the running one
 * says, its outputs and errors by line, be shown on the draft's code. What runs and is in the draft no more is a
 * ghost, drawn where the version had it.
 */
import type { PipelineDocument, Reading } from '@millrace/document';
import { diffPipelines, type NodeAspect } from '@millrace/graph';
import { folderOf } from '../../document/folder-of.ts';

export type Standing =
  | { readonly kind: 'same' }
  | { readonly kind: 'new' }
  /** In the words of `changeWords`. */
  | { readonly kind: 'changed'; readonly aspects: readonly NodeAspect[] };

export interface Standings {
  /** The version that was compared with. */
  readonly version: number;
  /** Of the draft's nodes. */
  readonly nodes: ReadonlyMap<string, Standing>;
  /** Ids of nodes and streams that run and are gone from the draft. */
  readonly goneNodes: readonly string[];
  readonly goneStreams: readonly string[];
  /** What runs, to draw ghosts from. */
  readonly running: Reading;
}

export function standingsOf(
  draft: PipelineDocument,
  running: { readonly number: number; readonly document: PipelineDocument },
): Standings {
  const diff = diffPipelines(folderOf(running.document), folderOf(draft));
  const nodes = new Map<string, Standing>();
  for (const { id, kind, changes } of diff.nodes) {
    if (kind === 'removed') continue;
    if (kind === 'changed') nodes.set(id, { kind, aspects: changes });
    else nodes.set(id, kind === 'new' ? { kind: 'new' } : { kind: 'same' });
  }
  const gone = (changes: readonly { readonly id: string; readonly kind: string }[]): readonly string[] =>
    changes.filter(({ kind }) => kind === 'removed').map(({ id }) => id);
  return {
    version: running.number,
    nodes,
    goneNodes: gone(diff.nodes),
    goneStreams: gone(diff.streams),
    running: running.document.read(),
  };
}
