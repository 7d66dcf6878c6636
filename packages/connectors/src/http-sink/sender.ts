/**
 * Sends rows in requests, in their order, until each is taken or refused. Owns the connection; does not own marks.
 */
import type { SinkContext, SinkDeadLetter, SinkRow } from '@millrace/engine';
import { AddressRefusedError } from '../shared/address-guard.ts';
import { ConnectorError, errorMessage } from '../shared/connector-error.ts';
import { type HttpClient, HttpTroubleError } from '../shared/http-client.ts';
import { say } from '../shared/logging.ts';
import { wait as systemWait, type Wait } from '../shared/wait.ts';
import { type Decision, decide, waitMs } from './delivery-decision.ts';
import {
  type Batching,
  bodyOf,
  type Content,
  contentOf,
  idempotencyKey,
  MEDIA_TYPES,
} from './request-body.ts';

export interface SenderOptions {
  readonly context: SinkContext;
  readonly client: HttpClient;
  readonly url: URL;
  /** How messages call the address. */
  readonly shown: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly batching: Batching;
  readonly content: Content;
  readonly size: number;
  readonly timeoutMs: number;
  /** Takes secrets out of what a target said. */
  readonly redact: (text: string) => string;
  readonly wait?: Wait;
  readonly random?: () => number;
}

interface Sendable {
  readonly row: SinkRow;
  readonly content: Uint8Array;
}

const MOST_BODY_BYTES = 8 * 1024 * 1024;
const SHOWN_ANSWER = 300;

export class Sender {
  readonly #options: SenderOptions;
  /** Said once when it goes away, and once when it is back. */
  #away = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Returns the rows the target refused. Throws when it is stopped, and when the address is not allowed. */
  async send(rows: readonly SinkRow[], signal: AbortSignal): Promise<readonly SinkDeadLetter[]> {
    const letters: SinkDeadLetter[] = [];
    const sendable: Sendable[] = [];
    for (const row of rows) {
      const content = contentOf(row, this.#options.content);
      if (content === undefined)
        letters.push({ row, error: 'the record was not written as a sink’s line is' });
      else sendable.push({ row, content });
    }
    for (const part of requestsOf(sendable, this.#options.size)) {
      letters.push(...(await this.#deliver(part, signal)));
    }
    return letters;
  }

  close(): void {
    this.#options.client.close();
  }

  /** Halves what is refused until it is known which records are. */
  async #deliver(part: readonly Sendable[], signal: AbortSignal): Promise<readonly SinkDeadLetter[]> {
    const refusal = await this.#untilAnswered(part, signal);
    const [only] = part;
    if (refusal === undefined || only === undefined) return [];
    if (part.length === 1) return [{ row: only.row, error: refusal }];
    const middle = part.length >> 1;
    const first = await this.#deliver(part.slice(0, middle), signal);
    return [...first, ...(await this.#deliver(part.slice(middle), signal))];
  }

  /** Why the target refuses the request; undefined when it took it. */
  async #untilAnswered(part: readonly Sendable[], signal: AbortSignal): Promise<string | undefined> {
    const { wait = systemWait, random = Math.random } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const { decision, text } = await this.#once(part, signal);
      if (decision.kind === 'delivered') {
        this.#isBack();
        return undefined;
      }
      if (decision.kind === 'refused') {
        this.#isBack();
        return `${decision.why}${text === '' ? '' : `: ${text}`}`;
      }
      this.#isAway(decision.why);
      if (!(await wait(decision.waitMs ?? waitMs(attempt, random), signal)))
        throw this.#stopped(decision.why);
    }
  }

  async #once(
    part: readonly Sendable[],
    signal: AbortSignal,
  ): Promise<{ readonly decision: Decision; readonly text: string }> {
    const { client, context, url, method, batching, headers, timeoutMs } = this.#options;
    try {
      const answer = await client.request(
        {
          url,
          method,
          headers: {
            'content-type': MEDIA_TYPES[batching],
            'user-agent': 'Millrace',
            'idempotency-key': idempotencyKey(part.map(({ row }) => row)),
          },
          ownHeaders: headers,
          body: bodyOf(
            part.map(({ content }) => content),
            batching,
          ),
          timeoutMs,
        },
        signal,
      );
      return { decision: decide(answer, context.now()), text: oneLine(this.#options.redact(answer.text)) };
    } catch (error) {
      if (signal.aborted) throw this.#stopped('the request was under way');
      const unreachable = this.#neverReachable(error);
      if (unreachable !== undefined) throw unreachable;
      return { decision: { kind: 'again', why: errorMessage(error), waitMs: undefined }, text: '' };
    }
  }

  /** What no waiting mends, and no record is to blame for. */
  #neverReachable(error: unknown): ConnectorError | undefined {
    if (error instanceof AddressRefusedError)
      return this.#fault(error.code, error.message, error.remedy, error);
    if (!(error instanceof HttpTroubleError) || (error.code !== 'redirects' && error.code !== 'protocol'))
      return undefined;
    return this.#fault(error.code, error.message, 'Write the address it ends at into `url`.', error);
  }

  #isAway(why: string): void {
    if (this.#away) return;
    this.#away = true;
    say(
      this.#options.context,
      `${this.#options.shown} does not take records now (${why}); sending again until it does.`,
    );
  }

  #isBack(): void {
    if (!this.#away) return;
    this.#away = false;
    say(this.#options.context, `${this.#options.shown} takes records again.`);
  }

  #stopped(why: string): ConnectorError {
    return this.#fault(
      'stopped',
      `${why}, and it was stopped.`,
      'Nothing is lost: what was not taken is sent when the pipeline runs again.',
    );
  }

  #fault(code: string, reason: string, remedy: string, cause?: unknown): ConnectorError {
    const { context, shown } = this.#options;
    return new ConnectorError({
      code,
      node: context.nodeName,
      tried: `send to ${shown}`,
      reason,
      remedy,
      cause,
    });
  }
}

/** Cuts rows into requests of at most so many records and bytes; one record is sent however large it is. */
function* requestsOf(rows: readonly Sendable[], size: number): Generator<readonly Sendable[]> {
  let part: Sendable[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length === size || (part.length > 0 && bytes + row.content.length > MOST_BODY_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += row.content.length + 1;
  }
  if (part.length > 0) yield part;
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > SHOWN_ANSWER ? `${line.slice(0, SHOWN_ANSWER)} …` : line;
}
