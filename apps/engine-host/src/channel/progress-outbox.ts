/**
 * CP1: of one pipeline at most one progress message is on its way; what comes meanwhile replaces what waits.
 * CP2: numbers that cannot be told are left out and said once; they end nothing, least of all the pipelines.
 */
import type { PipelineProgress } from '@millrace/protocol/control';

export interface ProgressOutbox {
  put(progress: PipelineProgress): void;
  taken(pipeline: string): void;
  forget(pipeline: string): void;
}

export function progressOutbox(
  send: (progress: PipelineProgress) => void,
  untold: (pipeline: string, error: Error) => void,
): ProgressOutbox {
  const failing = new Set<string>();
  const trySending = (progress: PipelineProgress): void => {
    const { pipeline } = progress;
    try {
      send(progress);
      failing.delete(pipeline);
    } catch (error) {
      onItsWay.delete(pipeline);
      if (!failing.has(pipeline)) untold(pipeline, error as Error);
      failing.add(pipeline);
    }
  };
  /** Undefined: one is on its way and nothing waits. */
  const onItsWay = new Map<string, PipelineProgress | undefined>();
  return {
    put(progress) {
      if (onItsWay.has(progress.pipeline)) {
        onItsWay.set(progress.pipeline, progress);
        return;
      }
      onItsWay.set(progress.pipeline, undefined);
      trySending(progress);
    },
    taken(pipeline) {
      const next = onItsWay.get(pipeline);
      onItsWay.delete(pipeline);
      if (next !== undefined) this.put(next);
    },
    forget(pipeline) {
      onItsWay.delete(pipeline);
      failing.delete(pipeline);
    },
  };
}
