/** One start of the real `millrace run`, its output, and who belongs to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface HostEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sweep that is stopped leaves no host behind. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export class HostProcess {
  readonly ended: Promise<HostEnd>;
  readonly #child: ChildProcess;
  #isOver = false;

  constructor(bin: string, options: { folder: string; data: string; workers: number; faults: unknown }) {
    const args = [
      bin,
      'run',
      options.folder,
      '--data',
      options.data,
      '--workers',
      String(options.workers),
      '--json',
    ];
    const { DATABASE_URL: _, ...env } = process.env;
    this.#child = spawn(process.execPath, args, {
      env: { ...env, MILLRACE_FAULTS: JSON.stringify(options.faults) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    alive.add(this.#child);
    let stdout = '';
    let stderr = '';
    this.#child.stdout?.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      stderr = (stderr + data.toString()).slice(-20_000);
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      // Workers of a killed host may hold its pipes for a moment: `exit`, not `close`.
      this.#child.on('exit', (code, signal) => {
        this.#isOver = true;
        alive.delete(this.#child);
        setImmediate(() => resolve({ code, signal, stdout, stderr }));
      });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Asks it to drain and end. */
  stop(): void {
    this.#child.kill('SIGTERM');
  }

  /** Kills one of its Deno workers, by pid. */
  killWorker(which: number): void {
    const workers = childrenOf(this.#child.pid ?? -1).filter((pid) => commandOf(pid).includes('deno'));
    const pid = workers[which % Math.max(1, workers.length)];
    if (pid !== undefined) killPid(pid);
  }
}

export function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function childrenOf(parent: number): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    });
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
