import { readFileSync } from 'node:fs';

/** A clock tick of /proc, on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * Milliseconds the first thread of a process has computed so far: the one that runs a worker's code, without those that
 * collect its garbage meanwhile. Undefined where the system does not say it cheaply.
 */
export function processorTimeMs(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    return readProcessorTime(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** `utime` and `stime` of proc(5); the name in brackets before them may hold anything. */
export function readProcessorTime(stat: string): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
}
