/**
 * Pulls one source partition and feeds it to the worker that ingests it, no faster than the worker takes it.
 *
 * Owns: the reading of one partition for one incarnation of a worker.
 * Invariants
 *   SR1 (P7)   reading begins at the committed mark, never behind it.
 *   SR2        no more than its window is with the worker and not finished (`sourceWindow`); while paused nothing is
 *              read, and what a source gave meanwhile waits here.
 *   SR3 (W6)   a partition is called idle when its source has had nothing to read for the idle timeout, once. Time in
 *              which reading was paused does not count, nor time in which the host did not run: what has come
 *              meanwhile is unread. The worker hears of it behind everything that was read before.
 */
import type { SourceChunk, SourcePartition } from '../ports.ts';
import type { WorkerLink } from './worker-link.ts';

export interface SourceRunnerOptions {
  readonly node: number;
  readonly partition: number;
  readonly source: SourcePartition;
  readonly link: WorkerLink;
  readonly offset: number;
  readonly window: SourceWindow;
  /** Undefined: never idle. */
  readonly idleTimeoutMs: number | undefined;
  readonly now: () => number;
  readonly failed: (error: Error) => void;
}

/** What of one partition may be with the worker and not finished. */
export interface SourceWindow {
  readonly bytes: number;
  readonly chunks: number;
}

/** A full bundle of small records, and what is read while it is made and committed. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const LEAST_WINDOW_BYTES = 1024 * 1024;
/** What all partitions of one worker share. */
const SHARED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 128 * 1024;

/** The window of each of `partitions` that one worker reads: hundreds together must not fill its memory. */
export function sourceWindow(partitions: number): SourceWindow {
  const share = Math.floor(SHARED_BYTES / Math.max(1, partitions));
  const bytes = Math.min(WINDOW_BYTES, Math.max(LEAST_WINDOW_BYTES, share));
  return { bytes, chunks: Math.floor(bytes / CHUNK_BYTES) };
}

export class SourceRunner {
  readonly #options: SourceRunnerOptions;
  readonly #abort = new AbortController();
  #inFlight: { sequence: number; bytes: number }[] = [];
  #bytes = 0;
  #paused = false;
  #resume: (() => void) | undefined;
  /** Since when its source has nothing to read, as far as that counts. */
  #silentSince: number | undefined;
  #isIdle = false;

  constructor(options: SourceRunnerOptions) {
    this.#options = options;
  }

  /** Plan index of its injector. */
  get node(): number {
    return this.#options.node;
  }

  start(): void {
    this.#read().catch((error: unknown) => {
      if (!this.#abort.signal.aborted) this.#options.failed(error as Error);
    });
  }

  stop(): void {
    this.#abort.abort();
    this.#resume?.();
  }

  set paused(paused: boolean) {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.#countAnew();
    this.check();
  }

  /** Ten times a second. `pauseMs`: for how long the host did not run before (SR3); less than 0: the clock was set back. */
  watch(now: number, pauseMs: number): void {
    const { link, node, partition, idleTimeoutMs } = this.#options;
    if (pauseMs !== 0) this.#countAnew();
    if (this.#silentSince === undefined || this.#isIdle || this.#paused || idleTimeoutMs === undefined)
      return;
    if (now - this.#silentSince < idleTimeoutMs || link.state !== 'running') return;
    this.#isIdle = true;
    link.chunk(node, partition, { kind: 'idle' });
  }

  #countAnew(): void {
    if (this.#silentSince !== undefined) this.#silentSince = this.#options.now();
  }

  /** The worker has finished with input: there may be room again. */
  check(): void {
    const { finished } = this.#options.link;
    while (this.#inFlight[0] !== undefined && this.#inFlight[0].sequence <= finished)
      this.#bytes -= (this.#inFlight.shift() as { bytes: number }).bytes;
    if (!this.#full) this.#resume?.();
  }

  get #full(): boolean {
    const { bytes, chunks } = this.#options.window;
    return this.#paused || this.#bytes >= bytes || this.#inFlight.length >= chunks;
  }

  async #read(): Promise<void> {
    const { source, offset } = this.#options;
    const { signal } = this.#abort;
    await this.#unpaused();
    if (signal.aborted) return;
    for await (const chunk of source.read(offset, signal)) {
      await this.#unpaused();
      if (signal.aborted) return;
      this.#pass(chunk);
      while (this.#full && !signal.aborted) await this.#room();
      if (signal.aborted) return;
    }
    await this.#unpaused();
    if (!signal.aborted) this.#pass({ kind: 'ended' });
  }

  async #unpaused(): Promise<void> {
    while (this.#paused && !this.#abort.signal.aborted) await this.#room();
  }

  #pass(chunk: SourceChunk): void {
    const { link, node, partition } = this.#options;
    if (chunk.kind === 'idle') {
      this.#silentSince ??= this.#options.now();
      return;
    }
    this.#silentSince = undefined;
    this.#isIdle = false;
    const bytes = 'bytes' in chunk ? chunk.bytes.length : chunk.kind === 'ordinals' ? chunk.count * 16 : 0;
    const sequence = link.chunk(node, partition, chunk);
    this.#inFlight.push({ sequence, bytes });
    this.#bytes += bytes;
  }

  async #room(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}
