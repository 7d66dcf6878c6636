/** One run of the sweep: a fresh folder, the scenario's starts, undisturbed starts until it is done, the checks. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultControl } from '@millrace/engine';
import { type HostEnd, HostProcess, killPid } from './host-process.ts';
import { differences, type RunSummary } from './sweep-checks.ts';
import { endServer, holdCommit, serverOf } from './sweep-database.ts';
import { makeInput } from './sweep-input.ts';
import { expectedOf } from './sweep-oracle.ts';
import { writePipeline } from './sweep-pipeline.ts';
import { makeScenario, type Scenario, type Start } from './sweep-scenario.ts';

export interface SweepResult {
  readonly seed: number;
  readonly scenario: Scenario;
  /** Who was killed, one word each. */
  readonly killed: readonly string[];
  readonly problems: readonly string[];
  /** Kept where there are problems. */
  readonly folder: string;
  readonly seconds: number;
}

export interface SweepOptions {
  /** apps/cli/bin/millrace.mjs */
  readonly bin: string;
  readonly seed: number;
  /** Guards to switch off; the scenario aims a kill at them. */
  readonly controls?: readonly FaultControl[];
  /** The scenario that aims at them, with the guards on. */
  readonly guarded?: boolean;
  /** Whether the folder stays. */
  readonly keep?: 'always' | 'on-problems' | 'never';
}

const START_LIMIT_MS = 40_000;
/** Kills end with the scenario, so the second undisturbed start is one too many already. */
const MOST_UNDISTURBED = 2;

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly data: string;
  readonly trace: string;
  readonly bin: string;
}

/** Nor a server. */
const dataFolders = new Set<string>();
process.on('exit', () => {
  for (const data of dataFolders) killServer({ data });
});

export async function sweepOnce({
  bin,
  seed,
  controls = [],
  guarded = false,
  keep = 'on-problems',
}: SweepOptions): Promise<SweepResult> {
  const began = performance.now();
  const root = await mkdtemp(join(tmpdir(), `millrace-sweep-${seed}-`));
  await chmod(root, 0o755);
  const place: Place = {
    root,
    bin,
    folder: join(root, 'pipeline'),
    data: join(root, 'data'),
    trace: join(root, 'trace.jsonl'),
  };
  dataFolders.add(place.data);
  const input = makeInput(seed);
  const scenario = guarded ? withGuards(makeScenario(seed, controls)) : makeScenario(seed, controls);
  // P5: every other run.
  await writePipeline(place.folder, input, controls.length === 0 && seed % 2 === 0 ? 'weak' : 'strong');
  let problems: string[];
  try {
    const last = await runToEnd(place, scenario);
    problems = await differences(place, expectedOf(input), last);
  } catch (error) {
    problems = [error instanceof SweepFailure ? error.message : String((error as Error).stack)];
  } finally {
    await endServer(place.data);
    dataFolders.delete(place.data);
  }
  const killed = readLines(`${place.trace}.kills`);
  const kept = keep === 'always' || (keep === 'on-problems' && problems.length > 0);
  if (!kept) await rm(root, { recursive: true, force: true });
  const seconds = (performance.now() - began) / 1000;
  return { seed, scenario, killed, problems, folder: root, seconds };
}

/** Everything as planned, but for what is switched off. */
function withGuards(scenario: Scenario): Scenario {
  const pace = { ...scenario.pace, controls: [] };
  const starts = scenario.starts.map((start) => ({ ...start, plan: { ...start.plan, controls: [] } }));
  return { ...scenario, starts, pace };
}

class SweepFailure extends Error {}

async function runToEnd(place: Place, scenario: Scenario): Promise<RunSummary> {
  let last: HostEnd | undefined;
  let held: Awaited<ReturnType<typeof holdCommit>> | undefined;
  const { workers, pace } = scenario;
  const undisturbed: Start = {
    workers,
    plan: { ...pace, kills: [] },
    timed: [],
  };
  const starts = [...scenario.starts, ...Array.from({ length: MOST_UNDISTURBED }, () => undisturbed)];
  for (let next = 0, slow = 0; next < starts.length; next++) {
    const start = starts[next] as Start;
    const host = new HostProcess(place.bin, {
      folder: place.folder,
      data: place.data,
      workers: start.workers,
      faults: { ...start.plan, trace: place.trace },
    });
    const wasHeld = held;
    if (start.plan.stallCommit !== undefined) held = await stalledCommit(place, host);
    else void timedKills(place, start, host);
    if (wasHeld !== undefined) {
      await letGoInTime(wasHeld, host);
      held = undefined;
    }
    const began = performance.now();
    last = await endOf(host);
    appendFileSync(
      `${place.trace}.ends`,
      `${JSON.stringify({ ms: Math.round(performance.now() - began), ...last })}\n`,
    );
    if (last.stderr.includes('ALARM')) throw new SweepFailure(`counts do not balance:\n${last.stderr}`);
    if (last.signal === 'SIGKILL') continue;
    if (last.stdout.includes('"check-timeout"') && slow++ < 3) {
      // The type check is limited in wall time and the machine is busy: nothing was touched yet.
      next--;
      continue;
    }
    if (last.code !== 0)
      throw new SweepFailure(`the host ended with code ${last.code}:\n${last.stderr}\n${last.stdout}`);
    if (start === undisturbed || isDone(last)) break;
  }
  await held?.letGo();
  if (last === undefined || last.code !== 0) throw new SweepFailure(`the last start did not end by itself`);
  return JSON.parse(last.stdout) as RunSummary;
}

function isDone({ stdout }: HostEnd): boolean {
  return (JSON.parse(stdout) as { kind?: string }).kind === 'done';
}

async function endOf(host: HostProcess): Promise<HostEnd> {
  let tooLong = false;
  const timer = setTimeout(() => {
    tooLong = true;
    host.kill();
  }, START_LIMIT_MS);
  const end = await host.ended;
  clearTimeout(timer);
  if (tooLong)
    throw new SweepFailure(`the host did not end within ${START_LIMIT_MS / 1000} s:\n${end.stderr}`);
  return end;
}

async function timedKills(place: Place, { timed }: Start, host: HostProcess): Promise<void> {
  if (timed.length === 0) return;
  const before = traceLength(place);
  while (!host.isOver && traceLength(place) === before) await sleep(5);
  const from = performance.now();
  for (const { afterMs, victim, worker } of [...timed].sort((a, b) => a.afterMs - b.afterMs)) {
    await sleep(Math.max(0, afterMs - (performance.now() - from)));
    if (host.isOver) return;
    appendFileSync(`${place.trace}.kills`, `${victim}\n`);
    if (victim === 'host') host.kill();
    else if (victim === 'stop') host.stop();
    else if (victim === 'worker') host.killWorker(worker);
    else killServer(place);
  }
}

function traceLength({ trace }: Place): number {
  return existsSync(trace) ? readFileSync(trace).length : 0;
}

/** The host names the commit it is about to send; from here on the database cannot decide it. */
async function stalledCommit(place: Place, host: HostProcess) {
  const request = `${place.trace}.stall`;
  while (!existsSync(request)) {
    if (host.isOver) return undefined;
    await sleep(10);
  }
  await sleep(20);
  const held = await holdCommit(place.data, JSON.parse(readFileSync(request, 'utf8')));
  writeFileSync(`${place.trace}.stalled`, '');
  rmSync(request);
  return held;
}

/** Lets the old commit go when the new host is dead, or visibly waits for it. */
async function letGoInTime(held: NonNullable<Awaited<ReturnType<typeof holdCommit>>>, host: HostProcess) {
  const from = performance.now();
  while (!host.isOver && performance.now() - from < 15_000) {
    if ((await held.waiting()) >= 2) break;
    await sleep(20);
  }
  await held.letGo();
  // The commit goes on by itself now.
  await sleep(100);
}

function killServer({ data }: Pick<Place, 'data'>): void {
  const server = serverOf(data);
  if (server !== undefined) killPid(server.pid);
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}
