/** An injector that is pushed to, in one host: looks up what it is sent, queues it, and answers when it is committed. */

import { createHash } from 'node:crypto';
import type { RequestAnswer } from '@millrace/protocol';
import type {
  ConnectorContext,
  OpenInjector,
  RequestMemory,
  SourceChunk,
  SourcePartition,
} from '../../src/ports.ts';
import type { SimulatedProcess } from './virtual-time.ts';

export interface SentRequest {
  readonly key: string;
  readonly body: string;
}

export type Outcome =
  | { readonly kind: 'answered'; readonly accepted: number; readonly rejected: number }
  | { readonly kind: 'conflict' | 'unavailable' };

interface Queued {
  readonly chunk: Omit<Extract<SourceChunk, { kind: 'request' }>, 'number'>;
  isHanded: boolean;
  settle(outcome: Outcome): void;
}

const KEEP_MS = 600_000;

export class PostedSource implements SourcePartition {
  readonly name = '0';
  readonly process: SimulatedProcess;
  readonly #now: () => number;
  /** Nobody sends anything any more. */
  readonly #isOver: () => boolean;
  readonly #onItsWay = new Map<string, { readonly body: string; readonly outcome: Promise<Outcome> }>();
  #memory: RequestMemory | undefined;
  #queue: Queued[] = [];
  #first = 0;
  #isHeld = false;
  #wake: (() => void) | undefined;

  constructor(process: SimulatedProcess, now: () => number, isOver: () => boolean) {
    this.process = process;
    this.#now = now;
    this.#isOver = isOver;
  }

  open(context: ConnectorContext): OpenInjector {
    this.#memory = context.requestMemory?.(KEEP_MS);
    return { partitions: [this], close: async () => this.#refuse(() => true) };
  }

  /** HI1: of one key, one request at a time. */
  async post({ key, body }: SentRequest): Promise<Outcome> {
    for (;;) {
      const other = this.#onItsWay.get(key);
      if (other === undefined) break;
      const outcome = await other.outcome;
      if (other.body === body) return outcome;
      if (outcome.kind === 'answered') return { kind: 'conflict' };
    }
    const outcome = this.#send(key, body);
    this.#onItsWay.set(key, { body, outcome });
    return outcome.finally(() => this.#onItsWay.delete(key));
  }

  async #send(key: string, body: string): Promise<Outcome> {
    const bytes = new TextEncoder().encode(body);
    const digest = createHash('sha256').update(body).digest();
    const found = await this.#memory?.find(key);
    if (found !== undefined && Buffer.compare(found.digest, digest) !== 0) return { kind: 'conflict' };
    if (found?.done === true) return answered(found);
    if (this.#isHeld || this.#memory === undefined) return { kind: 'unavailable' };
    const time = this.#now();
    const remember = { digest: found?.digest ?? digest, since: found?.since ?? time };
    return new Promise((settle) => {
      const chunk = {
        kind: 'request',
        id: key,
        format: 'jsonl',
        time,
        remember,
        resume: found,
        bytes,
      } as const;
      this.#queue.push({ chunk, isHanded: false, settle });
      this.#wake?.();
    });
  }

  async *read(offset: number, signal: AbortSignal): AsyncGenerator<SourceChunk> {
    this.#first = offset;
    for (let handed = 0; !signal.aborted; ) {
      // What is committed leaves the queue in front.
      handed = Math.max(handed, this.#first - offset);
      const next = this.#queue[offset + handed - this.#first];
      if (next !== undefined) {
        next.isHanded = true;
        yield { ...next.chunk, number: offset + handed++ };
      } else if (this.#isOver()) {
        yield { kind: 'ended' };
        return;
      } else await this.#change(signal);
    }
  }

  committed(offset: number, answers: readonly RequestAnswer[]): void {
    const done = this.#queue.splice(0, Math.max(0, offset - this.#first));
    for (const [i, { settle }] of done.entries()) {
      const answer = answers[answers.length - done.length + i];
      settle(answer === undefined ? { kind: 'unavailable' } : answered(answer));
    }
    this.#first = Math.max(this.#first, offset);
  }

  held(held: boolean): void {
    this.#isHeld = held;
    if (held) this.#refuse(({ isHanded }) => !isHanded);
  }

  /** Whether somebody still sends may have changed. */
  nudge(): void {
    this.#wake?.();
  }

  #refuse(which: (queued: Queued) => boolean): void {
    const refused = this.#queue.filter(which);
    this.#queue = this.#queue.filter((queued) => !refused.includes(queued));
    for (const { settle } of refused) settle({ kind: 'unavailable' });
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        signal.removeEventListener('abort', over);
        resolve();
      };
      this.#wake = over;
      signal.addEventListener('abort', over);
    });
  }
}

function answered({ accepted, rejected, unlisted }: RequestAnswer): Outcome {
  return { kind: 'answered', accepted, rejected: rejected.length + unlisted };
}
