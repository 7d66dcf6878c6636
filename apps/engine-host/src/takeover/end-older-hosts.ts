/**
 * An older engine host of this machine that hangs, or whose server was killed a moment ago, still holds the locks
 * of its pipelines. It is fenced already; here its process is ended, if it is certainly that one.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostClaim } from '@millrace/store';
import { startOf } from './process-identity.ts';

/** A killed process is gone in milliseconds, unless the kernel itself hangs. */
const GONE_MS = 2_000;

/** Numbers of the hosts that have ended. Those of other machines are theirs to end. */
export async function endOlderHosts(
  older: HostClaim['older'],
  log: (message: string) => void,
): Promise<number[]> {
  const ours = older.filter(({ hostName }) => hostName === hostname());
  for (const { pid, processStarted } of ours) {
    // This very process may have claimed twice, after a lost answer.
    if (pid === process.pid || processStarted === '' || startOf(pid) !== processStarted) continue;
    log(`Ended the engine host ${pid}, which was left over.`);
    kill(pid);
    await gone(pid, processStarted);
  }
  return ours.map(({ number }) => number);
}

async function gone(pid: number, processStarted: string): Promise<void> {
  const deadline = performance.now() + GONE_MS;
  while (startOf(pid) === processStarted && performance.now() < deadline) await sleep(10);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
