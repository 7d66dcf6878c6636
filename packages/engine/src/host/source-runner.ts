/**
 * Pulls one source partition and feeds it to the worker that ingests it, no faster than the worker takes it.
 *
 * Owns: the reading of one partition for one incarnation of a worker.
 * Invariants
 *   SR1 (P7)   reading begins at the committed mark, never behind it.
 *   SR2        no more than its window is with the worker and not finished (`source-window.ts`), and nothing is sent while
 *              the pipe is full; while paused nothing is read, and what a source gave meanwhile waits here.
 *   SR3 (W6)   a partition is called idle when its source has had nothing to read for the idle timeout, once. Time in
 *              which reading was paused does not count, nor time in which the host did not run: what has come
 *              meanwhile is unread. The worker hears of it behind everything that was read before.
 */
import type { SourceChunk, SourcePartition } from '../ports.ts';
import { SOURCE_BACKLOG_BYTES } from './bounds.ts';
import type { SourceWindow } from './source-window.ts';
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

export class SourceRunner {
  readonly #options: SourceRunnerOptions;
  readonly #abort = new AbortController();
  #inFlight: { readonly sequence: number; readonly bytes: number; readonly at: number }[] = [];
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
    const { link, window, now } = this.#options;
    const oldest = this.#inFlight[0];
    if (oldest !== undefined && oldest.sequence <= link.finished) {
      const left = this.#inFlight.findIndex(({ sequence }) => sequence > link.finished);
      for (const { bytes } of this.#inFlight.splice(0, left < 0 ? this.#inFlight.length : left))
        this.#bytes -= bytes;
      window.finished(oldest.at, now(), this.#bytes);
    }
    if (!this.#full) this.#resume?.();
  }

  get #full(): boolean {
    const { link, window, now } = this.#options;
    if (this.#paused) return true;
    // Asked in any case: it measures from when it is full.
    const isFull = window.isFull(this.#bytes, this.#inFlight.length, now());
    return isFull || link.queuedBytes > SOURCE_BACKLOG_BYTES;
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
    this.#inFlight.push({ sequence, bytes, at: this.#options.now() });
    this.#bytes += bytes;
  }

  async #room(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}
