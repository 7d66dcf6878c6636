/**
 * Edits on their way to the server: kept in order until they are acknowledged, sent together when the one before
 * was, kept in the browser meanwhile.
 *
 * Invariants
 *   OB1  an edit leaves the outbox only when the server has acknowledged it; one it has refused is never sent again,
 *        by no later page either.
 *   OB2  one update is in flight; what follows is built on it.
 */
import { DOCUMENT_PART, type EventAnswer } from '@millrace/protocol/api';
import * as Y from 'yjs';
import type { OfflineEdits } from './offline-edits.ts';

export type Sent =
  | { readonly kind: 'all' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

export interface OutboxOptions {
  readonly kept: OfflineEdits;
  readonly epoch: number;
  readonly send: (bytes: Uint8Array, more: boolean) => Promise<EventAnswer<'doc.update'>>;
}

interface Waiting {
  readonly update: Uint8Array;
  /** Where it is kept in the browser; undefined where it is not. */
  readonly kept: Promise<number | undefined>;
}

/** Of one update that is sent, where several are joined: below what the server takes. */
const MOST_BYTES = 512 * 1024;
/** The server counts messages; typing is as smooth with twenty a second. */
const APART_MS = 50;

export class Outbox {
  #waiting: Waiting[] = [];
  #sending: Promise<Sent> | undefined;
  #sentAt = 0;
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** All that is not acknowledged, as one update. */
  get unsent(): Uint8Array {
    return Y.mergeUpdates(this.#waiting.map(({ update }) => update));
  }

  add(update: Uint8Array): void {
    this.#waiting.push({ update, kept: this.#options.kept.add(this.#options.epoch, update) });
  }

  /** What an earlier page left behind. */
  addKept(edits: readonly { readonly id: number; readonly update: Uint8Array }[]): void {
    for (const { id, update } of edits) this.#waiting.push({ update, kept: Promise.resolve(id) });
  }

  /** Kept under another epoch: offered to whom they belong to, and no longer in the way of a later page's edits. */
  async setAside(epoch: number): Promise<void> {
    const refused = this.#waiting;
    await Promise.all(refused.map(({ update }) => this.#options.kept.add(epoch, update)));
    await this.#forget(refused);
  }

  send(): Promise<Sent> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<Sent> {
    while (this.#waiting.length > 0) {
      await this.#pace();
      const batch = this.#nextBatch();
      const answer = await this.#sendOne(Y.mergeUpdates(batch.map(({ update }) => update)));
      if (answer === undefined) return { kind: 'lost' };
      if (!answer.ok) return { kind: 'refused', code: answer.code, detail: answer.detail };
      this.#waiting = this.#waiting.slice(batch.length);
      void this.#forget(batch);
    }
    return { kind: 'all' };
  }

  async #pace(): Promise<void> {
    const wait = this.#sentAt + APART_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.#sentAt = performance.now();
  }

  #nextBatch(): readonly Waiting[] {
    let size = 0;
    let count = 0;
    for (const { update } of this.#waiting) {
      size += update.length;
      if (count > 0 && size > MOST_BYTES) break;
      count++;
    }
    return this.#waiting.slice(0, count);
  }

  async #sendOne(update: Uint8Array): Promise<EventAnswer<'doc.update'> | undefined> {
    try {
      for (let from = 0; ; from += DOCUMENT_PART) {
        const more = from + DOCUMENT_PART < update.length;
        const answer = await this.#options.send(update.slice(from, from + DOCUMENT_PART), more);
        if (!more || !answer.ok) return answer;
      }
    } catch {
      return undefined;
    }
  }

  async #forget(batch: readonly Waiting[]): Promise<void> {
    const ids = await Promise.all(batch.map(({ kept }) => kept));
    const known = ids.filter((id) => id !== undefined);
    if (known.length > 0) await this.#options.kept.remove(known);
  }
}
