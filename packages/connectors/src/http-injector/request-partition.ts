/**
 * The queue of one injector: requests that were taken in and are not committed, in the order in which they came.
 *
 * A client is no source that can be read again, so the queue is: a request stays here until the commit that holds
 * the last of it, and a worker that takes over is handed the unfinished ones anew.
 *
 * Owns: their numbers, and who waits for which answer.
 * Invariants
 *   RP1  the first request of the queue has the number of the committed mark: the next `read` begins with it.
 *   RP2  a request that was handed over is never withdrawn; one that was not may be.
 */
import type { RequestAnswer, SourceChunk, SourcePartition } from '@millrace/engine';

type RequestChunk = Extract<SourceChunk, { kind: 'request' }>;
export type Post = Omit<RequestChunk, 'kind' | 'number'>;

export type PostOutcome =
  | { readonly kind: 'answered'; readonly answer: RequestAnswer }
  /** The same key came with another body. */
  | { readonly kind: 'conflict' }
  /** `begun`: it may go in all the same. */
  | { readonly kind: 'unavailable'; readonly begun: boolean };

interface Waiting {
  readonly post: Post;
  readonly queuedAt: number;
  handed: boolean;
  settle(outcome: PostOutcome): void;
}

/** With nothing for so long there is nothing to read (W6); at a brisk pace that is not worth a message. */
const LULL_MS = 50;

export class RequestPartition implements SourcePartition {
  readonly name = '0';
  readonly #now: () => number;
  #queue: Waiting[] = [];
  #first = 0;
  /** How many of the queue the present reader has. */
  #handed = 0;
  #arrived: (() => void) | undefined;
  #closed = false;
  #held = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  get length(): number {
    return this.#queue.length;
  }

  add(post: Post): Promise<PostOutcome> {
    if (this.#closed || this.#held) return Promise.resolve({ kind: 'unavailable', begun: false });
    return new Promise((settle) => {
      this.#queue.push({ post, queuedAt: this.#now(), handed: false, settle });
      this.#arrived?.();
    });
  }

  async *read(offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    this.#first = offset;
    this.#handed = 0;
    while (!signal.aborted) {
      const next = this.#queue[this.#handed];
      if (next !== undefined) {
        next.handed = true;
        yield { kind: 'request', number: this.#first + this.#handed++, ...next.post };
        continue;
      }
      if (await this.#arrival(signal, LULL_MS)) continue;
      if (!signal.aborted) yield { kind: 'idle' };
      await this.#arrival(signal, undefined);
    }
  }

  committed(offset: number, answers: readonly RequestAnswer[]): void {
    const from = offset - answers.length;
    const done = Math.max(0, Math.min(offset - this.#first, this.#handed));
    this.#queue.splice(0, done).forEach(({ settle }, i) => {
      const answer = answers[this.#first + i - from];
      settle(answer === undefined ? { kind: 'unavailable', begun: true } : { kind: 'answered', answer });
    });
    this.#first = offset;
    this.#handed -= done;
  }

  /** Gives up on requests that have waited for so long without being handed over (RP2). */
  withdraw(olderThanMs: number): void {
    const before = this.#now() - olderThanMs;
    const given = this.#queue.filter(({ handed, queuedAt }) => !handed && queuedAt < before);
    if (given.length === 0) return;
    this.#queue = this.#queue.filter((each) => !given.includes(each));
    for (const { settle } of given) settle({ kind: 'unavailable', begun: false });
  }

  /** What waits for a paused pipeline is sent back at once: nobody knows when it will go on. */
  held(held: boolean): void {
    this.#held = held;
    if (held) this.withdraw(-1);
  }

  get paused(): boolean {
    return this.#held;
  }

  close(): void {
    this.#closed = true;
    for (const { settle, handed } of this.#queue) settle({ kind: 'unavailable', begun: handed });
    this.#queue = [];
  }

  /** True when something came within `ms`. */
  #arrival(signal: AbortSignal, ms: number | undefined): Promise<boolean> {
    if (this.#queue.length > this.#handed || signal.aborted) return Promise.resolve(!signal.aborted);
    return new Promise((resolve) => {
      const end = (came: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.#arrived = undefined;
        resolve(came);
      };
      const stop = () => end(false);
      const timer = ms === undefined ? undefined : setTimeout(stop, ms);
      signal.addEventListener('abort', stop);
      this.#arrived = () => end(true);
    });
  }
}
