/** The processes of a run, found the way an operator would: by /proc and the pid file of Postgres. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/** Workers of a command: its own children that run Deno. */
export const workersOf = (host: number): number[] => childrenOf(host, '/deno');

/** The engine host of a server; undefined while there is none. */
export const engineHostOf = (server: number): number | undefined => childrenOf(server, 'engine-host').at(-1);

function childrenOf(parent: number, command: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent && commandOf(pid).includes(command));
}

/** Bytes of memory that a process holds for itself and its share of what it holds with others. */
export function residentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function parentOf(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Waits until it is so, or until `ended`; tells which. */
export async function until(so: () => boolean, ended: Promise<unknown>): Promise<boolean> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over) {
    if (so()) return true;
    await sleep(2);
  }
  return false;
}

/** Kills the process named at that moment, waiting for one: just restarted, its pid is still the last one's or none. */
export async function killWhenThere(pidOf: () => number | undefined): Promise<void> {
  await vi.waitFor(() => process.kill(pidOf() as number, 'SIGKILL'), 20_000);
}
