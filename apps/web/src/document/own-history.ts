/**
 * What this user may take back, as this page knows it, and how it reaches the server. Works without a connection;
 * what was not sent is sent later. The server's is the truth: where another page of the same user went on, it is
 * taken over and steps that were not sent yet are added to it.
 */
import { EMPTY_HISTORY, type History, type Recorded, readHistory, record } from '@millrace/document';
import { type EventAnswer, type EventPayload, MAX_HISTORY } from '@millrace/protocol/api';

export interface StoredHistory {
  readonly revision: number;
  readonly history: string;
}

type Message = Omit<EventPayload<'doc.history'>, 'pipeline'>;

/** Of one message; the server takes as many. */
const MOST_STEPS = 50;
/** Typing makes a step with every key; the server joins them, and counts messages. */
const APART_MS = 250;

export class OwnHistory {
  #history: History = EMPTY_HISTORY;
  #revision = 0;
  #steps: Recorded[] = [];
  /** A step back or forth rewrites what was there: all of it is sent. */
  #rewritten = false;
  #sending = false;
  /** Steps are on their way. */
  #asked = false;

  get current(): History {
    return this.#history;
  }

  /** The server does not have all of it: who leaves now could not take back what he did last. */
  get isWaiting(): boolean {
    return this.#asked || this.#steps.length > 0 || this.#rewritten;
  }

  /** What the server has. */
  adopt({ revision, history }: StoredHistory): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#rewritten = false;
    this.#history = this.#steps.reduce(record, readHistory(parse(history)));
  }

  add(step: Recorded): void {
    this.#history = record(this.#history, step);
    this.#steps.push(step);
  }

  rewrite(history: History): void {
    this.#history = history;
    this.#steps = [];
    this.#rewritten = true;
  }

  /** Sends what waits, and tells of each answer; a failure leaves it waiting. */
  async send(
    ask: (message: Message) => Promise<EventAnswer<'doc.history'>>,
    answered: () => void = () => undefined,
  ): Promise<void> {
    if (this.#sending || (this.#steps.length === 0 && !this.#rewritten)) return;
    this.#sending = true;
    try {
      while (this.#steps.length > 0 || this.#rewritten) {
        await this.#sendNext(ask);
        answered();
        await new Promise((resolve) => setTimeout(resolve, APART_MS));
      }
    } catch {
      // It waits for the next time the draft is open.
    } finally {
      this.#sending = false;
    }
  }

  async #sendNext(ask: (message: Message) => Promise<EventAnswer<'doc.history'>>): Promise<void> {
    const base = this.#revision;
    const isWhole = this.#rewritten || this.#steps.length > MOST_STEPS;
    const steps = isWhole ? this.#steps : this.#steps.slice(0, MOST_STEPS);
    const sent = isWhole ? undefined : JSON.stringify(steps);
    this.#rewritten = false;
    this.#steps = this.#steps.slice(steps.length);
    this.#asked = true;
    try {
      const answer = await ask(
        sent === undefined || sent.length > MAX_HISTORY
          ? { base, history: textOf(this.#history) }
          : { base, steps: sent },
      );
      if (answer.ok) this.#revision = Math.max(this.#revision, answer.revision);
      else if (answer.current !== undefined) this.adopt(answer.current);
    } catch (error) {
      if (isWhole) this.#rewritten = true;
      else this.#steps = [...steps, ...this.#steps];
      throw error;
    } finally {
      this.#asked = false;
    }
  }
}

/** Without the oldest steps where it would be too long to send. */
function textOf({ version, undo, redo }: History): string {
  for (let kept = { undo, redo }; ; kept = { undo: half(kept.undo), redo: half(kept.redo) }) {
    const text = JSON.stringify({ version, ...kept });
    if (text.length <= MAX_HISTORY || kept.undo.length + kept.redo.length === 0) return text;
  }
}

const half = <T>(entries: readonly T[]): readonly T[] => entries.slice(Math.ceil(entries.length / 2));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
