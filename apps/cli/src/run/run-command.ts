/**
 * `millrace run`: check, build, deploy, run to the end. Composes; each step is a file of its own.
 *
 * R1 The store is not touched before the pipeline has no errors.
 * R2 State goes only with --drop-state or --fresh.
 * R3 Whatever happens, workers and database are closed in order before the command ends.
 */
import { type BuiltVersion, deploy, openUserCode, planDeploy, storedPlan } from '@millrace/deployment';
import { createWorkerLauncher } from '@millrace/sandbox';
import type { RunCommand } from '../command-line.ts';
import { deployPlanLines } from '../deploy/deploy-plan-lines.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printIssues } from '../issues/print-issues.ts';
import { loadAndBuild } from '../pipeline/load-and-build.ts';
import type { Terminal } from '../terminal.ts';
import { type IngestDoor, openIngestDoor } from './ingest-door.ts';
import { type LiveView, liveView } from './live-view.ts';
import { logLines } from './log-lines.ts';
import { openRunStore } from './open-store.ts';
import { plannedFaults } from './planned-faults.ts';
import { report, shownDeadLetters } from './report.ts';
import { runVersion, type Session, sourceTrouble } from './run-session.ts';
import { stopSignals } from './stop-signals.ts';

export async function run(command: RunCommand, terminal: Terminal): Promise<ExitCode> {
  const outcome = await loadAndBuild(command.folder, command.params);
  if (outcome.kind === 'issues') {
    printIssues(outcome, terminal);
    return refuse(command, terminal, { kind: 'issues', issues: outcome.issues });
  }
  const { loaded, built } = outcome;
  printIssues(loaded, terminal);
  return withSession(command, loaded.root, built, terminal, (session, view) =>
    runBuilt(session, view, { command, built, terminal }),
  );
}

interface Context {
  readonly command: RunCommand;
  readonly built: BuiltVersion;
  readonly terminal: Terminal;
}

async function runBuilt(
  session: Session,
  view: LiveView,
  { command, built, terminal }: Context,
): Promise<ExitCode> {
  const startedAt = performance.now();
  const number = await session.pipeline.versions.save(built.stored);
  const deployed = await deployVersion(session, view, { command, built, terminal }, number);
  if (deployed.kind === 'stopped') {
    if (command.json) terminal.stdout(`${JSON.stringify({ ok: true, kind: 'drained' })}\n`);
    return exitCodes.done;
  }
  if (deployed.kind !== 'ready') {
    if (deployed.kind === 'failed') view.log(`${terminal.style.red('error')}: ${deployed.error}`);
    return refuse(command, terminal, deployed);
  }
  const result = await runVersion(session, { number, plan: built.plan, bundle: built.bundle });
  view.close();
  const deadLetters = await session.pipeline.deadLetters(shownDeadLetters);
  const elapsedMs = performance.now() - startedAt;
  report({ plan: built.plan, version: number, result, elapsedMs, deadLetters }, command.json, terminal);
  return result.kind === 'failed' ? exitCodes.failed : exitCodes.done;
}

function deployVersion(
  session: Session,
  view: LiveView,
  { command, built, terminal }: Context,
  number: number,
) {
  return deploy({
    pipeline: session.pipeline,
    number,
    fresh: command.fresh,
    dropState: command.dropState,
    async plan(old) {
      const userCode = await openUserCode();
      return planDeploy(old, built, userCode).finally(() => userCode.close());
    },
    show(plan) {
      for (const line of deployPlanLines(plan, terminal.size().columns, terminal.style)) view.log(line);
    },
    async drain(old, losing) {
      view.log('Finishing what is in flight with the version that ran before …');
      const version = { number: old.number, plan: storedPlan(old), bundle: old.bundle };
      const result = await runVersion(session, version, { drainOnly: true, dropState: losing });
      return { error: result.kind === 'failed' ? (result.error ?? 'no reason was given') : undefined };
    },
    trouble: () => sourceTrouble(session, built.plan),
    stopping: () => session.signals.stopping,
  });
}

async function withSession(
  command: RunCommand,
  root: string,
  built: BuiltVersion,
  terminal: Terminal,
  use: (session: Session, view: LiveView) => Promise<ExitCode>,
): Promise<ExitCode> {
  const view = liveView(terminal, { now: Date.now }, built.plan.name);
  const signals = stopSignals(process, view.log);
  const faults = plannedFaults(process.env.MILLRACE_FAULTS);
  const store = await openRunStore(command, root, view.log, faults?.store);
  const launcher = createWorkerLauncher({ log: view.log });
  let door: IngestDoor | undefined;
  try {
    door = await openIngestDoor(built.plan, command.port, process.env, view.log);
    const pipeline = await store.pipeline(built.plan.pipeline);
    const { workers } = command;
    const { update, log } = view;
    const onLogs: Session['onLogs'] = (lines, cut) => {
      for (const line of logLines(lines, cut, built.plan, terminal.style)) log(line);
    };
    return await use(
      {
        store,
        pipeline,
        launcher,
        connectorsFor: door.connectorsFor,
        root,
        workers,
        signals,
        faults: faults?.forRun(store),
        onProgress: update,
        onLogs,
        log,
      },
      view,
    );
  } finally {
    view.close();
    await door?.close();
    await launcher.close();
    await store.close();
    signals.release();
  }
}

type Refusal = { readonly kind: 'issues' | 'state-would-go' | 'failed' } & Readonly<Record<string, unknown>>;

function refuse(command: RunCommand, terminal: Terminal, why: Refusal): ExitCode {
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: false, ...why })}\n`);
  return why.kind === 'issues' ? exitCodes.issues : exitCodes.failed;
}
