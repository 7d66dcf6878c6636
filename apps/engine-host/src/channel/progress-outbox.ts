/** CP1: of one pipeline at most one progress message is on its way; what comes meanwhile replaces what waits. */
import type { PipelineProgress } from '@millrace/protocol/control';

export interface ProgressOutbox {
  put(progress: PipelineProgress): void;
  taken(pipeline: string): void;
  forget(pipeline: string): void;
}

export function progressOutbox(send: (progress: PipelineProgress) => void): ProgressOutbox {
  /** Undefined: one is on its way and nothing waits. */
  const onItsWay = new Map<string, PipelineProgress | undefined>();
  return {
    put(progress) {
      if (onItsWay.has(progress.pipeline)) {
        onItsWay.set(progress.pipeline, progress);
        return;
      }
      onItsWay.set(progress.pipeline, undefined);
      send(progress);
    },
    taken(pipeline) {
      const next = onItsWay.get(pipeline);
      onItsWay.delete(pipeline);
      if (next !== undefined) this.put(next);
    },
    forget: (pipeline) => void onItsWay.delete(pipeline),
  };
}
