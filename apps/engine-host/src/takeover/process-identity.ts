/** A process named for ever: by its pid and when it began. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { HostIdentity } from '@millrace/store';

export function ownIdentity(): HostIdentity {
  return { pid: process.pid, hostName: hostname(), processStarted: startOf(process.pid) ?? '' };
}

/** Undefined when there is no such process, or it has only not been collected yet. */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields behind the name: state is the first, the start in ticks since boot the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${bootId()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function fromPs(pid: number): string | undefined {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [state = '', ...started] = (ps.stdout ?? '').trim().split(/\s+/);
  return ps.status !== 0 || state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
