/**
 * One pipeline in one store: runs versions of it, one after the other. Owns nothing; the caller opened the store
 * and the launcher and closes them.
 */

import { connectors } from '@millrace/connectors';
import { mappingDeadLetters, trySources, withoutMap } from '@millrace/deployment';
import {
  type ConnectorContext,
  type Connectors,
  type Faults,
  type LogLine,
  type PipelineStore,
  type Progress,
  type RunResult,
  runPipeline,
  type WorkerLauncher,
} from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import type { Store } from '@millrace/store';
import { secretFrom } from './secrets.ts';
import type { StopSignals } from './stop-signals.ts';

export interface Session {
  readonly store: Store;
  readonly pipeline: PipelineStore;
  readonly launcher: WorkerLauncher;
  connectorsFor(plan: RunPlan): Connectors;
  /** Relative paths of connectors are resolved against it. */
  readonly root: string;
  readonly workers: number;
  readonly signals: StopSignals;
  /** The crash sweep's. */
  readonly faults?: Faults | undefined;
  onProgress(progress: Progress): void;
  onLogs(lines: readonly LogLine[], cut: number): void;
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

const workerMemoryMb = 1024;

function connectorContext(session: Session, node: { id: string; name: string }): ConnectorContext {
  const context: ConnectorContext = {
    nodeId: node.id,
    nodeName: node.name,
    folder: session.root,
    secret: async (name) => secretFrom(process.env, name),
    ownDatabase: () => session.store.ownDatabase(context),
    now: Date.now,
    log: session.log,
  };
  return context;
}

/** Why the sources of a version cannot be read; undefined when they can. */
export function sourceTrouble(session: Session, plan: RunPlan): Promise<string | undefined> {
  return trySources(plan, connectors, (node) => connectorContext(session, node));
}

export async function runVersion(
  session: Session,
  version: RunnableVersion,
  wishes: Wishes = { drainOnly: false, dropState: [] },
): Promise<RunResult> {
  const context = (node: { id: string; name: string }) => connectorContext(session, node);
  const run = runPipeline({
    store: mappingDeadLetters(session.pipeline, version),
    launcher: session.launcher,
    connectors: session.connectorsFor(version.plan),
    connectorContext: context,
    sinkContext: (node, hostSequencer) =>
      session.store.sinkContext(version.plan.pipeline, hostSequencer, context(node)),
    version: { ...version, bundle: withoutMap(version.bundle) },
    workers: session.workers,
    memoryMb: workerMemoryMb,
    ...wishes,
    ...(session.faults === undefined ? {} : { faults: session.faults }),
    onProgress: session.onProgress,
    onLogs: (lines, cut) => session.onLogs(lines, cut),
    log: session.log,
  });
  session.signals.attach({ drain: () => void run.drain(), abort: () => run.abort() });
  return run.finished;
}
