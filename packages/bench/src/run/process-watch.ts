/**
 * Memory and processor time of everything a run consists of: this process, its workers, Postgres. Read from
 * /proc; elsewhere nothing is known and figures say so.
 *
 * Shared memory of Postgres is counted once, not once per backend.
 */
import { readdirSync, readFileSync } from 'node:fs';

export type ProcessKind = 'host' | 'workers' | 'postgres';

export interface Usage {
  /** Highest sum over all processes at one moment; NaN where it cannot be read. */
  readonly peakMb: number;
  /** Cores kept busy since `begin`, by kind. */
  readonly cores: Readonly<Record<ProcessKind, number>>;
  /** Processor time of all of them since `begin`. */
  readonly seconds: number;
  /** Whether a worker was there. */
  readonly isWorking: boolean;
}

/** Reading /proc costs a millisecond or two on a machine with many processes. */
const SAMPLE_MS = 500;
/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Seen {
  readonly pid: number;
  readonly kind: ProcessKind;
  readonly ticks: number;
}

export class ProcessWatch {
  readonly #postgres: () => number | undefined;
  readonly #timer: NodeJS.Timeout;
  #peakKb = Number.NaN;
  #begunAt = performance.now();
  #begun: readonly Seen[] = [];

  constructor(postgres: () => number | undefined) {
    this.#postgres = postgres;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Processor time counts from here. */
  begin(): void {
    this.#begunAt = performance.now();
    this.#begun = this.#processes();
  }

  end(): Usage {
    this.close();
    return this.usage();
  }

  /** So far. Of processes that have ended nothing is known any more. */
  usage(): Usage {
    this.#sample();
    const seconds = (performance.now() - this.#begunAt) / 1000;
    const before = new Map(this.#begun.map(({ pid, ticks }) => [pid, ticks]));
    const cores = { host: 0, workers: 0, postgres: 0 };
    const now = this.#processes();
    for (const { pid, kind, ticks } of now)
      cores[kind] += (ticks - (before.get(pid) ?? 0)) / TICKS_PER_SECOND / seconds;
    const busy = cores.host + cores.workers + cores.postgres;
    const isWorking = now.some(({ kind }) => kind === 'workers');
    return { peakMb: this.#peakKb / 1024, cores, seconds: busy * seconds, isWorking };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    let own = 0;
    let shared = 0;
    for (const { pid } of this.#processes()) {
      const status = read(`/proc/${pid}/status`);
      own += kilobytes(status, 'RssAnon') + kilobytes(status, 'RssFile');
      shared = Math.max(shared, kilobytes(status, 'RssShmem'));
    }
    if (own > 0 && !(this.#peakKb >= own + shared)) this.#peakKb = own + shared;
  }

  #processes(): Seen[] {
    const all = readAll();
    const kinds = new Map<number, ProcessKind>([[process.pid, 'host']]);
    const postmaster = this.#postgres();
    if (postmaster !== undefined) kinds.set(postmaster, 'postgres');
    // Parents may have higher numbers than their children, so go on until nothing is added.
    for (let before = -1; before !== kinds.size; ) {
      before = kinds.size;
      for (const { pid, parent } of all) {
        const kind = kinds.get(parent);
        if (kind !== undefined && !kinds.has(pid)) kinds.set(pid, kind === 'host' ? 'workers' : kind);
      }
    }
    return all.flatMap(({ pid, ticks }) => {
      const kind = kinds.get(pid);
      return kind === undefined ? [] : [{ pid, kind, ticks }];
    });
  }
}

function readAll(): { pid: number; parent: number; ticks: number }[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        // The name of the command stands in brackets and may hold anything.
        const fields = read(`/proc/${name}/stat`)
          .replace(/^.*\) /s, '')
          .split(' ');
        if (fields.length < 13) return [];
        return [
          { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) },
        ];
      });
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
