/** What can be proven about a process by its id. Reads /proc on Linux and asks `ps` elsewhere. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type Liveness =
  | { readonly kind: 'gone' }
  /** Dead, but its parent has not collected it. */
  | { readonly kind: 'defunct' }
  | { readonly kind: 'alive'; readonly command: string };

export function inspectProcess(pid: number): Liveness {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): Liveness {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    if (state === 'Z' || state === 'X') return { kind: 'defunct' };
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { kind: 'alive', command };
  } catch {
    return { kind: 'gone' };
  }
}

function fromPs(pid: number): Liveness {
  const ps = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  const line = ps.stdout?.trim() ?? '';
  if (ps.status !== 0 || line === '') return { kind: 'gone' };
  const [state = '', ...command] = line.split(/\s+/);
  return state.startsWith('Z') ? { kind: 'defunct' } : { kind: 'alive', command: command.join(' ') };
}

/**
 * Server processes whose working folder is this cluster: children of a killed postmaster live on for a moment
 * and still write its shared memory. Empty where it cannot be known; Postgres then checks by shared memory.
 */
export function processesInside(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && worksIn(pid, cluster));
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false;
    const found = fromProc(pid);
    return found.kind === 'alive' && /^postgres: |\/postgres\b/.test(found.command);
  } catch {
    return false;
  }
}
