import type { Progress } from '@millrace/engine';
import type { PipelineProgress } from '@millrace/protocol/control';

/** A run's progress as it is told to the server. */
export function toldProgress(pipeline: string, version: number, progress: Progress): PipelineProgress {
  return {
    ...progress,
    pipeline,
    version,
    nodes: progress.nodes.map((node) => ({ ...node, counts: { ...node.counts } })),
    streams: progress.streams.map((stream) => ({ ...stream })),
  };
}
