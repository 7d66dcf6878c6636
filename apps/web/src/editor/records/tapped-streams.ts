/** Which streams the selection asks to see. Pure. */
import type { Stream } from '@millrace/graph';

/** As many as one tap takes. */
const MOST = 32;

export interface SelectedIds {
  readonly nodes: ReadonlySet<string>;
  readonly streams: ReadonlySet<string>;
}

/** The selected streams, and those that lead to and from selected nodes. */
export function tappedStreams(
  streams: ReadonlyMap<string, Stream>,
  { nodes, streams: chosen }: SelectedIds,
): readonly string[] {
  return [...streams.values()]
    .filter(({ id, from, to }) => chosen.has(id) || nodes.has(from[0]) || nodes.has(to[0]))
    .map(({ id }) => id)
    .slice(0, MOST);
}
