/**
 * injector/http of one pipeline: decides for each request whether it is new, is on its way, was answered before,
 * or contradicts what its key stood for (engine SPEC.md 7), and hands the new ones to the pipeline's queue.
 *
 * Invariant HI1: of one key, one request is looked up or on its way at a time; the others wait for its outcome.
 */
import { randomBytes } from 'node:crypto';
import type { RequestMemory } from '@millrace/engine';
import { ByteBudget } from './byte-budget.ts';
import type { BodyFormat } from './request-head.ts';
import { type PostOutcome, RequestPartition } from './request-partition.ts';

export interface PostedBody {
  readonly key: string | undefined;
  readonly format: BodyFormat;
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
}

interface OnItsWay {
  readonly digest: Uint8Array;
  readonly outcome: Promise<PostOutcome>;
}

/** A paused pipeline must not take the memory that others need. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;
const MOST_WAITING = 10_000;
const LONGEST_WAIT_MS = 30_000;
const CHECK_MS = 1_000;

export class HttpInjector {
  readonly partition: RequestPartition;
  readonly budget: ByteBudget;
  readonly #memory: RequestMemory;
  readonly #now: () => number;
  readonly #onItsWay = new Map<string, OnItsWay>();
  readonly #timer: NodeJS.Timeout;

  constructor(memory: RequestMemory, now: () => number, shared: ByteBudget) {
    this.#memory = memory;
    this.#now = now;
    this.partition = new RequestPartition(now);
    this.budget = new ByteBudget(MOST_HELD_BYTES, shared);
    this.#timer = setInterval(() => this.partition.withdraw(LONGEST_WAIT_MS), CHECK_MS);
    this.#timer.unref();
  }

  get full(): boolean {
    return this.partition.length >= MOST_WAITING;
  }

  async post(body: PostedBody): Promise<PostOutcome> {
    const { key, digest } = body;
    if (key === undefined) return this.#send(body, randomBytes(16).toString('base64url'));
    for (;;) {
      const other = this.#onItsWay.get(key);
      if (other === undefined) break;
      const outcome = await other.outcome;
      if (Buffer.compare(other.digest, digest) === 0) return outcome;
      // What was refused says nothing of this one.
      if (outcome.kind === 'answered') return { kind: 'conflict' };
    }
    const outcome = this.#sendKeyed(body, key);
    this.#onItsWay.set(key, { digest, outcome });
    try {
      return await outcome;
    } finally {
      this.#onItsWay.delete(key);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.partition.close();
  }

  async #sendKeyed(body: PostedBody, key: string): Promise<PostOutcome> {
    const found = await this.#memory.find(key);
    if (found === undefined) return this.#send(body, key, { digest: body.digest, since: this.#now() });
    if (Buffer.compare(found.digest, body.digest) !== 0) return { kind: 'conflict' };
    const { accepted, rejected, unlisted, through, done, digest, since } = found;
    if (done) return { kind: 'answered', answer: { accepted, rejected, unlisted } };
    return this.#send(body, key, { digest, since }, { accepted, rejected, unlisted, through });
  }

  #send(
    { format, bytes }: PostedBody,
    id: string,
    remember?: { readonly digest: Uint8Array; readonly since: number },
    resume?: {
      readonly accepted: number;
      readonly rejected: readonly { index: number; reason: string }[];
      readonly unlisted: number;
      readonly through: number;
    },
  ): Promise<PostOutcome> {
    return this.partition.add({ id, format, time: this.#now(), remember, resume, bytes });
  }
}
