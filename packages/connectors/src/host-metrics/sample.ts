import { readFile } from 'node:fs/promises';
import { cpus, freemem, hostname, loadavg, totalmem, uptime } from 'node:os';

/** Counters that only grow; a sample shows their growth. */
export interface HostCounters {
  readonly at: number;
  readonly busyMs: number;
  readonly idleMs: number;
  readonly disk: readonly [readBytes: number, writtenBytes: number] | undefined;
  readonly network: readonly [receivedBytes: number, sentBytes: number] | undefined;
}

export async function readCounters(now: number): Promise<HostCounters> {
  let busyMs = 0;
  let idleMs = 0;
  for (const { times } of cpus()) {
    idleMs += times.idle;
    busyMs += times.user + times.nice + times.sys + times.irq;
  }
  return {
    at: now,
    busyMs,
    idleMs,
    disk: parseDiskStats(await readText('/proc/diskstats')),
    network: parseNetDev(await readText('/proc/net/dev')),
  };
}

export async function describeHost(before: HostCounters, after: HostCounters): Promise<object> {
  const seconds = Math.max(after.at - before.at, 1) / 1000;
  const busy = after.busyMs - before.busyMs;
  const all = busy + after.idleMs - before.idleMs;
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  const disk = perSecond(before.disk, after.disk, seconds);
  const network = perSecond(before.network, after.network, seconds);
  return {
    time: after.at,
    host: hostname(),
    uptimeSeconds: uptime(),
    cpu: { cores: cpus().length, busy: all > 0 ? Math.min(1, Math.max(0, busy / all)) : 0 },
    load: { one, five, fifteen },
    memory: {
      totalBytes: totalmem(),
      freeBytes: freemem(),
      availableBytes: parseAvailable(await readText('/proc/meminfo')) ?? null,
    },
    disk: disk && { readBytesPerSecond: disk[0], writtenBytesPerSecond: disk[1] },
    network: network && { receivedBytesPerSecond: network[0], sentBytesPerSecond: network[1] },
  };
}

const SECTOR_BYTES = 512;
/** Whole disks only: counting partitions, loop and mapped devices too would count the same bytes twice. */
const WHOLE_DISK = /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;

export function parseDiskStats(text: string | undefined): readonly [number, number] | undefined {
  return sumOf(text?.split('\n'), (line) => {
    const fields = line.trim().split(/\s+/);
    if (!WHOLE_DISK.test(fields[2] ?? '')) return undefined;
    return [Number(fields[5]) * SECTOR_BYTES, Number(fields[9]) * SECTOR_BYTES];
  });
}

export function parseNetDev(text: string | undefined): readonly [number, number] | undefined {
  return sumOf(text?.split('\n').slice(2), (line) => {
    const [name = '', counters] = line.split(/:(.*)/);
    if (counters === undefined || name.trim() === 'lo') return undefined;
    const fields = counters.trim().split(/\s+/);
    return [Number(fields[0]), Number(fields[8])];
  });
}

function parseAvailable(text: string | undefined): number | undefined {
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(text ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function sumOf(
  lines: readonly string[] | undefined,
  pairOf: (line: string) => readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  if (lines === undefined) return undefined;
  const pairs = lines.map(pairOf).filter((pair) => pair?.every(Number.isFinite));
  return pairs.reduce<readonly [number, number]>(
    (a, b) => [a[0] + (b?.[0] ?? 0), a[1] + (b?.[1] ?? 0)],
    [0, 0],
  );
}

/** A device that was unplugged makes a sum shrink; its rate is then 0, not negative. */
function perSecond(
  before: readonly [number, number] | undefined,
  after: readonly [number, number] | undefined,
  seconds: number,
): readonly [number, number] | null {
  if (before === undefined || after === undefined) return null;
  const rate = (a: number, b: number): number => Math.max(0, (b - a) / seconds);
  return [rate(before[0], after[0]), rate(before[1], after[1])];
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
