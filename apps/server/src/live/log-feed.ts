/**
 * The logs of one pipeline on their way to one socket: asks the host for what is newer, hands it on at the reader's
 * pace.
 *
 * Invariant LF1: one question to the host or one message to the client is on its way; what comes meanwhile waits in
 * the host's book, and what falls out of it is counted.
 */
import type { EventPayload } from '@millrace/protocol/api';
import type { LiveSource } from './live-source.ts';

export interface LogFeedOptions {
  readonly logs: string;
  readonly pipeline: string;
  readonly source: LiveSource;
  readonly send: (message: EventPayload<'logs.lines'>, taken: () => void) => void;
}

const WAIT_MS = 4_000;
/** While the engine host is started again. */
const AGAIN_MS = 500;
/** So that a quick reader gets messages worth their headers. */
const GATHER_MS = 100;

export class LogFeed {
  readonly #options: LogFeedOptions;
  #seen: { book: string; number: number } | undefined;
  #cut = 0;
  #isFirst = true;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LogFeedOptions) {
    this.#options = options;
  }

  /** From now on the client knows the logs by their id. */
  start(): void {
    void this.#ask();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { source, pipeline } = this.#options;
    const reply = await source
      .request('logs-read', { pipeline, seen: this.#seen, waitMs: this.#isFirst ? 0 : WAIT_MS })
      .catch(() => ({ kind: 'away' as const }));
    if (this.#closed) return;
    if (reply.kind !== 'answer') return this.#later(AGAIN_MS);
    const { book, lines, cut } = reply.body;
    const restarted = this.#seen !== undefined && this.#seen.book !== book;
    const before = this.#seen === undefined || restarted ? undefined : this.#seen.number;
    if (restarted) this.#cut = 0;
    const first = lines[0]?.number;
    const message = {
      lines,
      cut: cut - this.#cut,
      missed: first === undefined || before === undefined ? 0 : first - before - 1,
      restarted,
    };
    this.#cut = cut;
    this.#seen = { book, number: lines.at(-1)?.number ?? before ?? 0 };
    // The first says that there is nothing, too.
    if (lines.length === 0 && message.cut === 0 && !restarted && !this.#isFirst)
      return this.#later(GATHER_MS);
    this.#isFirst = false;
    const { logs, send } = this.#options;
    send({ logs, pipeline, ...message }, () => this.#later(GATHER_MS));
  }

  #later(ms: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#ask(), ms);
  }
}
