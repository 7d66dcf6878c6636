/** `millrace deploy`: push, publish a version, run it, and wait until it does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployPlan } from '@millrace/deployment';
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { RemoteCommand } from '../command-line.ts';
import { deployPlanLines } from '../deploy/deploy-plan-lines.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printIssues } from '../issues/print-issues.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../text/width.ts';
import { readLocalFolder } from './local-folder.ts';
import { pushFolder } from './push.ts';
import { type ServerApi, ServerRefusal } from './server-api.ts';

type Deployment = AnswerOf<RouteOf<'deployments.get'>>;

export async function deploy(command: RemoteCommand, api: ServerApi, terminal: Terminal): Promise<ExitCode> {
  const local = await readLocalFolder(command.folder);
  const pushed = await pushFolder(local, api, terminal, command.force);
  if (pushed === undefined) return exitCodes.failed;
  const params = { pipeline: pushed.pipeline };
  const version = await api.call('versions.create', {
    params,
    body: { message: command.message },
    ifMatch: pushed.revision,
  });
  printIssues({ named: command.folder, issues: version.issues }, terminal);
  const made = version.isNew ? 'is new' : 'was there already';
  terminal.stderr(`version ${version.number} ${made}\n`);
  const wanted = await start(command, api, params, version.number);
  if ('plan' in wanted) {
    showPlan(wanted.plan, terminal);
    if (command.json) terminal.stdout(`${JSON.stringify({ ok: false, plan: wanted.plan })}\n`);
    return exitCodes.failed;
  }
  const reached = await settled(api, params, wanted.deployment);
  return conclude(command, reached, terminal);
}

type Params = Readonly<Record<'pipeline', string>>;

type Started = { readonly deployment: Deployment } | { readonly plan: DeployPlan };

async function start(
  { workers, paused, dropState, message }: RemoteCommand,
  api: ServerApi,
  params: Params,
  version: number,
): Promise<Started> {
  const body = { version, paused, message, ...(workers !== undefined && { workers }) };
  try {
    return { deployment: await api.call('deployments.deploy', { params, body }) };
  } catch (error) {
    const plan = planOf(error);
    if (plan === undefined) throw error;
    if (!dropState) return { plan };
    const agreed = { ...body, dropState: [...plan.losing] };
    return { deployment: await api.call('deployments.deploy', { params, body: agreed }) };
  }
}

const planOf = (error: unknown): DeployPlan | undefined =>
  error instanceof ServerRefusal && error.problem.code === 'state-would-go'
    ? (error.problem.plan as DeployPlan)
    : undefined;

function showPlan(plan: DeployPlan, terminal: Terminal): void {
  const lines = deployPlanLines({ ...plan, losing: [] }, terminal.size().columns, terminal.style);
  for (const line of lines) terminal.stderr(`${line}\n`);
  terminal.stderr(
    'millrace: state would go. Deploy with --drop-state to agree, or keep the node as it was.\n',
  );
}

const ASK_EVERY_MS = 300;
const WAIT_MS = 120_000;

/** Until the engine host has done what was wished for, or says why not. */
async function settled(api: ServerApi, params: Params, first: Deployment): Promise<Deployment> {
  const until = Date.now() + WAIT_MS;
  let now = first;
  while (!isSettled(now) && now.revision === first.revision && Date.now() < until) {
    await sleep(ASK_EVERY_MS);
    now = await api.call('deployments.get', { params });
  }
  return now;
}

const isSettled = ({ observed, version }: Deployment): boolean =>
  observed.upToDate &&
  (observed.state === 'failed' ||
    (observed.version === version && ['running', 'paused', 'ended'].includes(observed.state)));

function conclude(command: RemoteCommand, deployment: Deployment, terminal: Terminal): ExitCode {
  const { observed, version } = deployment;
  const ok = isSettled(deployment) && observed.state !== 'failed';
  const given = observed.reason?.replace(`version ${version} cannot run: `, '');
  const why = given === undefined ? `it is ${observed.state}` : printable(given);
  terminal.stderr(
    ok
      ? `version ${version} ${observed.state === 'ended' ? 'has ended: all is processed' : `is ${observed.state}`}\n`
      : `millrace: version ${version} does not run: ${why}\n`,
  );
  if (command.json) terminal.stdout(`${JSON.stringify({ ok, deployment })}\n`);
  return ok ? exitCodes.done : exitCodes.failed;
}
