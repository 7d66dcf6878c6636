/** Logs that one socket has open. LS1 (`live-session`) holds for them, too. */
import { randomUUID } from 'node:crypto';
import type { EventAnswer, EventPayload } from '@millrace/protocol/api';
import type { Socket } from 'socket.io';
import type { Actor } from '../http/actor.ts';
import { judge } from '../http/actor.ts';
import { type EventHandlers, tell } from './event-hub.ts';
import type { LiveSource } from './live-source.ts';
import { LogFeed } from './log-feed.ts';
import { CAPS } from './socket-caps.ts';

export interface LogSessionOptions {
  readonly socket: Socket;
  readonly actor: () => Actor;
  readonly source: LiveSource;
}

const WITHDRAWN = 'You may not see this any more.';

export class LogSession {
  readonly #options: LogSessionOptions;
  readonly #open = new Map<string, { readonly pipeline: string; readonly feed: LogFeed }>();

  constructor(options: LogSessionOptions) {
    this.#options = options;
  }

  get handlers(): Pick<EventHandlers, 'logs.open' | 'logs.close'> {
    return {
      'logs.open': (payload) => this.#openLogs(payload),
      'logs.close': ({ logs }) => {
        this.#end(logs);
        return { ok: true };
      },
    };
  }

  get pipelines(): string[] {
    return [...this.#open.values()].map(({ pipeline }) => pipeline);
  }

  recheck(isVisible: (pipeline: string) => boolean): void {
    for (const [logs, { pipeline }] of [...this.#open]) {
      if (isVisible(pipeline) && judge(this.#options.actor(), 'data.read', pipeline) === 'allowed') continue;
      this.#end(logs);
      tell(this.#options.socket, 'logs.closed', { logs, pipeline, code: 'not-allowed', detail: WITHDRAWN });
    }
  }

  close(): void {
    for (const logs of [...this.#open.keys()]) this.#end(logs);
  }

  #openLogs({ pipeline }: EventPayload<'logs.open'>): EventAnswer<'logs.open'> {
    const { socket, source } = this.#options;
    if (this.#open.size >= CAPS.logsOfSocket)
      return {
        ok: false,
        code: 'too-many',
        detail: `A page shows the logs of at most ${CAPS.logsOfSocket} pipelines at once: close one.`,
      };
    const logs = randomUUID();
    const feed = new LogFeed({
      logs,
      pipeline,
      source,
      send: (message, taken) => tell(socket, 'logs.lines', message, taken),
    });
    this.#open.set(logs, { pipeline, feed });
    // Behind the answer that names it.
    setImmediate(() => feed.start());
    return { ok: true, logs };
  }

  #end(logs: string): void {
    this.#open.get(logs)?.feed.close();
    this.#open.delete(logs);
  }
}
