import type { NodeProgress, Progress } from '@millrace/engine';

/** A node's progress with nothing happening. */
export function nodeProgress(more: Partial<NodeProgress> & Pick<NodeProgress, 'name'>): NodeProgress {
  return {
    node: `n_${more.name}`,
    kind: 'computation',
    in: 0,
    out: 0,
    inRate: 0,
    outRate: 0,
    deadLettered: 0,
    late: 0,
    redriven: 0,
    droppedLate: 0,
    setAside: 0,
    waiting: 0,
    counts: {},
    countsCut: 0,
    watermark: { kind: 'not-yet' },
    backlog: 0,
    ...more,
  };
}

export function progressOf(nodes: readonly NodeProgress[], unfoldedBytes = 0): Progress {
  return { at: 0, position: 0, nodes, streams: [], commits: { bundleRate: 0 }, unfoldedBytes };
}
