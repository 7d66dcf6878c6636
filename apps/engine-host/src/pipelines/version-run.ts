/** Runs one stored version of one deployment: the engine with this host's store, workers and connectors. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mappingDeadLetters, storedPlan, withoutMap } from '@millrace/deployment';
import {
  type ConnectorContext,
  type Connectors,
  type ConnectorWalls,
  type PipelineRun,
  type PipelineStore,
  type Progress,
  runPipeline,
  type StoredVersion,
  type WorkerLauncher,
} from '@millrace/engine';
import type { Deployment, Store } from '@millrace/store';
import { type PlacedLine, placingLines } from '../logs/placed-lines.ts';

const WORKER_MEMORY_MB = 1024;
/** Of every stream, all the time: what a tap shows of the time before it was opened. */
const SAMPLES = { recordsPerSecond: 5, charsPerSecond: 32 * 1024 };

export interface Surroundings {
  readonly store: Store;
  readonly launcher: WorkerLauncher;
  /** Its HTTP injectors are reached through this process's listener. */
  connectorsFor(pipeline: { readonly id: string; readonly name: string }): Connectors;
  readonly dataDir: string;
  secret(workspace: string, name: string): Promise<string>;
  /** What an admin lets connectors reach. */
  access(workspace: string): Promise<Pick<ConnectorWalls, 'folders' | 'hosts'>>;
  log(pipeline: string, message: string): void;
}

export type Placed = Pick<Deployment, 'pipeline' | 'workspace' | 'folder'>;

export interface VersionRun {
  readonly deployment: Placed;
  readonly pipeline: PipelineStore;
  readonly version: StoredVersion;
  readonly workers: number;
  readonly mode: 'run' | 'finish' | 'redrive';
  /** Of `redrive`. */
  readonly inputHasEnded?: boolean;
  readonly dropState: readonly string[];
  readonly paused: boolean;
  readonly progressEveryMs: number;
  onRunning(): void;
  onProgress(progress: Progress): void;
  onLogs(lines: readonly PlacedLine[], cut: number): void;
}

export type StartRun = (what: VersionRun) => Promise<PipelineRun>;

export function startingRuns(surroundings: Surroundings): StartRun {
  const { store, launcher } = surroundings;
  return async (what) => {
    const { version, deployment } = what;
    const { pipeline } = deployment;
    const plan = storedPlan(version);
    const context = await contextOf(surroundings, deployment);
    const placed = placingLines({ number: version.number, bundle: version.bundle, nodes: plan.nodes });
    return runPipeline({
      store: mappingDeadLetters(what.pipeline, version),
      launcher,
      connectors: surroundings.connectorsFor({ id: pipeline, name: plan.name }),
      connectorContext: context,
      sinkContext: (node, hostSequencer) => store.sinkContext(pipeline, hostSequencer, context(node)),
      version: { number: version.number, plan, bundle: withoutMap(version.bundle) },
      workers: what.workers,
      memoryMb: WORKER_MEMORY_MB,
      drainOnly: what.mode === 'finish',
      lettersOnly: what.mode === 'redrive' ? { inputHasEnded: what.inputHasEnded === true } : undefined,
      dropState: what.dropState,
      paused: what.paused,
      progressEveryMs: what.progressEveryMs,
      samples: SAMPLES,
      onRunning: what.onRunning,
      onProgress: what.onProgress,
      onLogs: (lines, cut) => what.onLogs(placed(lines), cut),
      log: (message) => surroundings.log(pipeline, message),
    });
  };
}

/** What the connectors of a deployment may use, as it is allowed at its start. */
export async function contextOf(
  { dataDir, secret, access, log, store }: Surroundings,
  deployment: Placed,
): Promise<(node: { readonly id: string; readonly name: string }) => ConnectorContext> {
  const folder = folderOf(dataDir, deployment);
  await mkdir(folder, { recursive: true });
  const { folders, hosts } = await access(deployment.workspace);
  return ({ id, name }) => {
    const context: ConnectorContext = {
      nodeId: id,
      nodeName: name,
      folder,
      secret: (secretName) => secret(deployment.workspace, secretName),
      walls: { folders, own: dataDir, hosts },
      ownDatabase: () => store.ownDatabase(context),
      now: Date.now,
      log: (message) => log(deployment.pipeline, `${name}: ${message}`),
    };
    return context;
  };
}

/** Of relative paths: below the workspace's files, so that the data folder may be moved. */
function folderOf(dataDir: string, { workspace, folder }: Placed): string {
  return join(dataDir, 'files', workspace, folder ?? '');
}
