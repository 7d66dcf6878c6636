import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** What Linux counts by, on every architecture Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Undefined where there is no `/proc`, or no such process any more. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold anything; counted from behind it are user and system time, and pages.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user, system, pages] = [fields[11], fields[12], fields[21]];
    if (user === undefined || system === undefined || pages === undefined) return undefined;
    return { cpuSeconds: (user + system) / TICKS_PER_SECOND, residentBytes: pages * PAGE_BYTES };
  } catch {
    return undefined;
  }
}
