/** The real command, as people start it: a process of its own, its answers as text and as the summary of `--json`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';

/** A run compiles and starts a database: on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 180_000 });

/** Built by `npm run build`; another build can be named to test it. */
const program =
  process.env.MILLRACE_PROGRAM ?? fileURLToPath(new URL('../../apps/cli/bin/millrace.mjs', import.meta.url));

export interface NodeSummary {
  readonly node: string;
  readonly in: number;
  readonly out: number;
  readonly late: number;
  readonly deadLettered: number;
  readonly droppedLate: number;
  readonly duplicates: number;
  readonly setAside: number;
  readonly waiting: number;
}

export interface Summary {
  readonly ok: boolean;
  readonly kind: string;
  readonly error?: string;
  readonly version: number;
  readonly nodes: readonly NodeSummary[];
  readonly deadLetters: readonly { node: string; origin: string; error: string; attempts: number }[];
  readonly issues?: readonly {
    code: string;
    message: string;
    file?: string;
    line?: number;
    nodes?: string[];
  }[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The line that `--json` promises; throws with the whole output where it is not there. */
  readonly summary: Summary;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when standard error holds this text; rejects when the command ends without it. */
  said(text: string | RegExp): Promise<void>;
  /** Resolves with what matches on standard output; rejects when the command ends without it. */
  printed(text: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

export interface Started {
  /** Another script than the command's own. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Given how to end it, calls that when it is over; by default at the end of the test. */
  readonly atEnd?: (end: () => Promise<void>) => void;
}

export function startMillrace(args: readonly string[], options: Started = {}): Running {
  const { DATABASE_URL: _, ...own } = process.env;
  const child = spawn(process.execPath, [options.program ?? program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...own, NO_COLOR: '1', ...options.env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the command could not be started: ${program}`);
  const output = { stdout: '', stderr: '' };
  const waiters = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const check of waiters) check();
    });
  const ended = exitOf(child).then(
    ([code, signal]): Ended => ({
      code,
      signal,
      ...output,
      get summary() {
        return summaryOf(output.stdout, output.stderr);
      },
    }),
  );
  // A failed test must leave nothing behind.
  (options.atEnd ?? onTestFinished)(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const shown = (stream: 'stdout' | 'stderr', text: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found =
          typeof text === 'string' ? output[stream].includes(text) && text : text.exec(output[stream]);
        if (found) done(() => resolve(typeof found === 'string' ? found : found[0]));
      };
      const done = (end: () => void) => {
        waiters.delete(check);
        end();
      };
      waiters.add(check);
      void ended.then(() =>
        done(() =>
          reject(new Error(`ended without saying ${String(text)}: ${output.stderr}${output.stdout}`)),
        ),
      );
      check();
    });
  return {
    pid,
    ended,
    kill: (signal) => void child.kill(signal),
    said: async (text) => void (await shown('stderr', text)),
    printed: (text) => shown('stdout', text),
  };
}

export function millrace(args: readonly string[], options: Started = {}): Promise<Ended> {
  return startMillrace(args, options).ended;
}

/** `millrace run <folder> --json …`. */
export function run(folder: string, args: readonly string[] = [], options: Started = {}): Promise<Ended> {
  return millrace(['run', folder, '--json', ...args], options);
}

async function exitOf(child: ChildProcess): Promise<[number | null, string | null]> {
  const [code, signal] = await once(child, 'close');
  return [code, signal];
}

function summaryOf(stdout: string, stderr: string): Summary {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== 1) throw new Error(`no summary on standard output:\n${stdout}\n${stderr}`);
  return JSON.parse(lines[0] as string) as Summary;
}

export function nodeOf(summary: Summary, id: string): NodeSummary {
  const found = summary.nodes.find(({ node }) => node === id);
  if (found === undefined) throw new Error(`no node ${id} in ${JSON.stringify(summary.nodes)}`);
  return found;
}

/** Of a run that must end with all done; where it did not, the test fails with what it said. */
export async function finished(running: Promise<Ended>): Promise<Ended> {
  const ended = await running;
  if (ended.code !== 0 || ended.summary.kind !== 'done')
    throw new Error(`exit code ${ended.code} (${ended.signal}):\n${ended.stderr}\n${ended.stdout}`);
  return ended;
}
