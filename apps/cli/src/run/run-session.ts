/**
 * One pipeline in one store: runs versions of it, one after the other. Owns nothing; the caller opened the store
 * and the launcher and closes them.
 */

import { connectors } from '@millrace/connectors';
import {
  type ConnectorContext,
  type PipelineStore,
  runPipeline,
  type WorkerLauncher,
} from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import type { Store } from '@millrace/store';
import type { Progress, RunResult } from './engine-port.ts';
import { secretFrom } from './secrets.ts';
import type { StopSignals } from './stop-signals.ts';

export interface Session {
  readonly store: Store;
  readonly pipeline: PipelineStore;
  readonly launcher: WorkerLauncher;
  /** Relative paths of connectors are resolved against it. */
  readonly root: string;
  readonly workers: number;
  readonly signals: StopSignals;
  onProgress(progress: Progress): void;
  log(message: string): void;
}

export interface RunnableVersion {
  readonly number: number;
  readonly plan: RunPlan;
  readonly bundle: string;
}

export interface Wishes {
  /** Only finish what is in flight, read nothing new. */
  readonly drainOnly: boolean;
  /** Nodes whose state goes at the end of a drain. */
  readonly dropState: readonly string[];
}

const workerMemoryMb = 512;

export async function runVersion(
  session: Session,
  version: RunnableVersion,
  wishes: Wishes = { drainOnly: false, dropState: [] },
): Promise<RunResult> {
  const lease = leaseOf(session.pipeline);
  const context = (node: { id: string; name: string }): ConnectorContext => ({
    nodeId: node.id,
    nodeName: node.name,
    folder: session.root,
    secret: async (name) => secretFrom(process.env, name),
    now: Date.now,
  });
  const run = runPipeline({
    store: lease.pipeline,
    launcher: session.launcher,
    connectors,
    connectorContext: context,
    sinkContext: (node) => session.store.sinkContext(version.plan.pipeline, lease.sequencer(), context(node)),
    version,
    workers: session.workers,
    memoryMb: workerMemoryMb,
    ...wishes,
    onProgress: session.onProgress,
    log: session.log,
  });
  session.signals.attach({ drain: () => void run.drain(), abort: () => run.abort() });
  return run.finished;
}

/** Sinks write under the lease the engine claims: its sequencer is taken down when it does. */
function leaseOf(pipeline: PipelineStore): { pipeline: PipelineStore; sequencer(): number } {
  let claimed: number | undefined;
  const observed: PipelineStore = {
    ...pipeline,
    async claimHost() {
      claimed = await pipeline.claimHost();
      return claimed;
    },
  };
  return {
    pipeline: observed,
    sequencer() {
      if (claimed === undefined) throw new Error('a sink was opened before the pipeline was claimed');
      return claimed;
    },
  };
}
