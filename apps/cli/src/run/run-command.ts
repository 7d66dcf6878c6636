/**
 * `millrace run`: check, build, compare with what ran last, run to the end.
 *
 * R1 Nothing of the store is touched before the pipeline has no errors.
 * R2 A changed pipeline is a deploy: its plan first; the old version finishes what is in flight; then the new
 *    version is activated in one transaction. Killed in between, the next start deploys again.
 * R3 State goes only with --drop-state or --fresh.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hasErrors } from '@millrace/graph';
import { createWorkerLauncher } from '@millrace/sandbox';
import { openStore, type Store } from '@millrace/store';
import type { RunCommand } from '../command-line.ts';
import { deployPlanLines } from '../deploy/deploy-plan-lines.ts';
import { planDeploy } from '../deploy/plan-deploy.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { ownFolder } from '../folder/own-folder.ts';
import { printIssues } from '../issues/print-issues.ts';
import { type BuiltVersion, buildVersion, storedPlan } from '../pipeline/build-version.ts';
import { type LoadedPipeline, loadPipeline } from '../pipeline/load-pipeline.ts';
import type { Terminal } from '../terminal.ts';
import { openUserCode } from '../user-code/open-user-code.ts';
import { liveView } from './live-view.ts';
import { report, shownDeadLetters } from './report.ts';
import { runVersion, type Session } from './run-session.ts';
import { stopSignals } from './stop-signals.ts';

export async function run(command: RunCommand, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPipeline(command.folder, { params: command.params });
  printIssues(loaded, terminal);
  if (hasErrors(loaded.issues)) return refuse(command, terminal, { kind: 'issues', issues: loaded.issues });
  const built = await buildVersion(loaded, command.params);
  if ('issues' in built) {
    printIssues({ ...loaded, issues: built.issues }, terminal);
    return refuse(command, terminal, { kind: 'issues', issues: built.issues });
  }
  return withStore(command, loaded, terminal, (store) =>
    runBuilt({ command, loaded, built, terminal, store }),
  );
}

interface Context {
  readonly command: RunCommand;
  readonly loaded: LoadedPipeline;
  readonly built: BuiltVersion;
  readonly terminal: Terminal;
  readonly store: Store;
}

async function runBuilt({ command, loaded, built, terminal, store }: Context): Promise<ExitCode> {
  const startedAt = performance.now();
  const view = liveView(terminal, { now: Date.now }, built.plan.name);
  const signals = stopSignals(process, view.log);
  const launcher = createWorkerLauncher({ log: view.log });
  const session: Session = {
    store,
    pipeline: await store.pipeline(built.plan.pipeline),
    launcher,
    root: loaded.root,
    workers: command.workers,
    signals,
    onProgress: view.update,
    log: view.log,
  };
  try {
    const number = await session.pipeline.versions.save(built.stored);
    const deployed = await deploy(session, { command, built, number, say: view.log, terminal });
    if (deployed !== 'ready') return deployed;
    const result = await runVersion(session, { number, plan: built.plan, bundle: built.bundle });
    view.close();
    const deadLetters = await session.pipeline.deadLetters(shownDeadLetters);
    const elapsedMs = performance.now() - startedAt;
    report({ plan: built.plan, version: number, result, elapsedMs, deadLetters }, command.json, terminal);
    return result.kind === 'failed' ? exitCodes.failed : exitCodes.done;
  } finally {
    view.close();
    signals.release();
    await launcher.close();
  }
}

interface Deploy {
  readonly command: RunCommand;
  readonly built: BuiltVersion;
  readonly number: number;
  readonly terminal: Terminal;
  say(line: string): void;
}

/** Makes version `number` the current one, with the state that goes with it. */
async function deploy(session: Session, what: Deploy): Promise<'ready' | ExitCode> {
  const { pipeline } = session;
  const { command, built, number, terminal, say } = what;
  const current = await pipeline.versions.current();
  if (command.fresh) {
    await pipeline.reset(await pipeline.claimHost());
  } else if (current !== undefined && current.number !== number) {
    const userCode = await openUserCode();
    const plan = await planDeploy(current, built, userCode).finally(() => userCode.close());
    for (const line of deployPlanLines(plan, terminal.size().columns, terminal.style)) say(line);
    if (plan.losing.length > 0 && !command.dropState) {
      return refuse(command, terminal, { kind: 'state-would-go', plan: plan.nodes });
    }
    say('Finishing what is in flight with the version that ran before …');
    const old = { number: current.number, plan: storedPlan(current), bundle: current.bundle };
    const drained = await runVersion(session, old, { drainOnly: true, dropState: plan.losing });
    if (drained.kind === 'failed') {
      const error = `The version that ran before could not finish what was in flight: ${drained.error}`;
      say(error);
      return refuse(command, terminal, { kind: 'failed', error });
    }
  }
  if (session.signals.stopping) return exitCodes.done;
  const outcome = await pipeline.versions.activate(await pipeline.claimHost(), number);
  if (outcome === 'committed') return 'ready';
  throw new Error('Another host took this pipeline over while it was being deployed: stop one of them.');
}

type Refusal = { readonly kind: 'issues' | 'state-would-go' | 'failed' } & Readonly<Record<string, unknown>>;

function refuse(command: RunCommand, terminal: Terminal, why: Refusal): ExitCode {
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: false, ...why })}\n`);
  return why.kind === 'issues' ? exitCodes.issues : exitCodes.failed;
}

async function withStore(
  command: RunCommand,
  loaded: LoadedPipeline,
  terminal: Terminal,
  use: (store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  const log = (message: string) => terminal.stderr(`${message}\n`);
  const url = process.env.DATABASE_URL;
  if (url && command.data !== undefined) log('DATABASE_URL is set: state is kept there, not under --data.');
  const store = await openStore(url ? { url } : { dataDir: await dataFolder(command, loaded) }, log);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function dataFolder(command: RunCommand, loaded: LoadedPipeline): Promise<string> {
  if (command.data === undefined) return ownFolder(loaded.root, 'data');
  const folder = resolve(command.data);
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error(`The data folder ${folder} cannot be made: ${error.message}.`);
  });
  return folder;
}
