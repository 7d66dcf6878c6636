/**
 * What one socket has open: views and taps, and the rights they rest on.
 *
 * Owns: feeds of this socket. Invariant LS1: whatever is open is allowed to the actor as it was last read; when
 * rights change, what is not allowed any more ends and is told.
 */
import { randomUUID } from 'node:crypto';
import { openRecordFilter, type RecordFilter } from '@millrace/deployment';
import type { WorkerLauncher } from '@millrace/engine';
import type { EventAnswer, EventPayload } from '@millrace/protocol/api';
import { eventSpec } from '@millrace/protocol/api';
import type { Observation } from '@millrace/protocol/control';
import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import { shownObservation } from '../deployments/shown-reason.ts';
import type { DocumentSession } from '../documents/document-session.ts';
import { type Actor, judge } from '../http/actor.ts';
import { listenToEvents, tell } from './event-hub.ts';
import type { LiveSource } from './live-source.ts';
import { LogSession } from './log-session.ts';
import { type AccountTally, CAPS } from './socket-caps.ts';
import { TapFeed } from './tap-feed.ts';
import type { ViewBoard } from './view-board.ts';
import { ViewFeed } from './view-feed.ts';

export interface LiveParts {
  readonly source: LiveSource;
  readonly board: ViewBoard;
  readonly filters: WorkerLauncher;
  readonly taps: AccountTally;
  readonly openFilters: AccountTally;
  /** Taps by id, for what the host says of them. */
  readonly feeds: Map<string, TapFeed>;
  readonly isVisible: (workspace: string, pipeline: string) => Promise<boolean>;
  /** What is written down of what a pipeline does. */
  readonly observed: (pipeline: string) => Promise<Observation | undefined>;
  /** What a socket has open of drafts. */
  readonly documents: (socket: Socket, actor: () => Actor) => DocumentSession;
  readonly log: Logger;
}

interface OpenTap {
  readonly pipeline: string;
  close(): void;
}

const WITHDRAWN = 'You may not see this any more.';
const refusal = (code: string, detail: string) => ({ ok: false as const, code, detail });
const DONE = { ok: true as const };

export class LiveSession {
  readonly #socket: Socket;
  readonly #parts: LiveParts;
  #actor: Actor;
  readonly #views = new Map<string, ViewFeed>();
  readonly #taps = new Map<string, OpenTap>();
  readonly #documents: DocumentSession;
  readonly #logs: LogSession;
  /** Taps that are being opened count as well. */
  #opening = 0;
  #closed = false;

  constructor(socket: Socket, actor: Actor, parts: LiveParts) {
    this.#socket = socket;
    this.#actor = actor;
    this.#parts = parts;
    this.#documents = parts.documents(socket, () => this.#actor);
    this.#logs = new LogSession({ socket, actor: () => this.#actor, source: parts.source });
    listenToEvents(
      {
        socket,
        actor: () => this.#actor,
        isVisible: (pipeline) => parts.isVisible(this.#actor.workspace, pipeline),
        log: parts.log,
      },
      {
        ...this.#documents.handlers,
        ...this.#logs.handlers,
        'view.open': (payload) => this.#openView(payload),
        'view.close': ({ pipeline }) => this.#closeView(pipeline),
        'tap.open': (payload) => this.#openTap(payload),
        'tap.close': ({ tap }) => this.#closeTap(tap),
      },
    );
  }

  get actor(): Actor {
    return this.#actor;
  }

  /** LS1: takes the actor as just read, and ends what it may not see any more. */
  async recheck(actor: Actor): Promise<void> {
    this.#actor = actor;
    const visible = new Map<string, boolean>();
    for (const pipeline of new Set([
      ...this.#views.keys(),
      ...[...this.#taps.values()].map((t) => t.pipeline),
      ...this.#documents.pipelines,
      ...this.#logs.pipelines,
    ]))
      visible.set(pipeline, await this.#parts.isVisible(actor.workspace, pipeline));
    for (const pipeline of [...this.#views.keys()])
      if (!visible.get(pipeline) || !this.#may('view.frame', pipeline)) this.#endView(pipeline);
    for (const [tap, { pipeline }] of [...this.#taps])
      if (!visible.get(pipeline) || !this.#may('tap.records', pipeline))
        this.#endTap(tap, 'not-allowed', WITHDRAWN);
    const isVisible = (pipeline: string) => visible.get(pipeline) === true;
    this.#documents.recheck(isVisible);
    this.#logs.recheck(isVisible);
  }

  close(): void {
    this.#closed = true;
    this.#documents.close();
    this.#logs.close();
    for (const view of this.#views.values()) view.close();
    this.#views.clear();
    for (const tap of [...this.#taps.keys()]) this.#closeTap(tap);
  }

  #may(event: 'view.frame' | 'tap.records', pipeline: string): boolean {
    return judge(this.#actor, eventSpec(event).permission, pipeline) === 'allowed';
  }

  // ---- views -----------------------------------------------------------------------------------------

  async #openView({ pipeline, after }: EventPayload<'view.open'>): Promise<EventAnswer<'view.open'>> {
    const { board, observed } = this.#parts;
    if (board.newest(pipeline).state === undefined) {
      const state = await observed(pipeline);
      if (state !== undefined) board.seed(state);
    }
    if (this.#closed) return refusal('closed', 'The connection is closed.');
    this.#views.get(pipeline)?.close();
    this.#views.delete(pipeline);
    if (this.#views.size >= CAPS.viewsOfSocket)
      return refusal(
        'too-many',
        `A page watches at most ${CAPS.viewsOfSocket} pipelines at once: close one.`,
      );
    this.#views.set(
      pipeline,
      new ViewFeed({
        board,
        pipeline,
        after: after?.epoch === board.epoch ? after.sequence : undefined,
        shown: (state) => shownObservation(this.#actor, state),
        send: (frame, taken) => tell(this.#socket, 'view.frame', frame, taken),
      }),
    );
    return DONE;
  }

  #closeView(pipeline: string): EventAnswer<'view.close'> {
    this.#views.get(pipeline)?.close();
    this.#views.delete(pipeline);
    return DONE;
  }

  #endView(pipeline: string): void {
    this.#closeView(pipeline);
    tell(this.#socket, 'view.ended', { pipeline, code: 'not-allowed', detail: WITHDRAWN });
  }

  // ---- taps ------------------------------------------------------------------------------------------

  async #openTap(payload: EventPayload<'tap.open'>): Promise<EventAnswer<'tap.open'>> {
    const { taps } = this.#parts;
    if (this.#taps.size + this.#opening >= CAPS.tapsOfSocket)
      return refusal('too-many', `A page has at most ${CAPS.tapsOfSocket} taps at once: close one.`);
    const giveBack = taps.take(this.#actor);
    if (giveBack === undefined)
      return refusal('too-many', `You have ${CAPS.tapsOfAccount} taps open, which is the most: close one.`);
    this.#opening++;
    try {
      const opened = await this.#openFeed(payload, giveBack);
      if (!opened.ok) giveBack();
      return opened;
    } catch (error) {
      giveBack();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  async #openFeed(
    { pipeline, streams, recordsPerSecond, filter: text }: EventPayload<'tap.open'>,
    giveBackTap: () => void,
  ): Promise<EventAnswer<'tap.open'>> {
    const opened = text === undefined || text.trim() === '' ? NO_FILTER : await this.#openFilter(text);
    if (opened.kind === 'refused') return refusal(opened.code, opened.message);
    const tap = randomUUID();
    const { source, feeds } = this.#parts;
    const feed = new TapFeed({
      tap,
      pipeline,
      streams,
      recordsPerSecond,
      filter: opened.filter,
      source,
      send: (message, taken) => tell(this.#socket, 'tap.records', message, taken),
      ended: (code, detail) => this.#endTap(tap, code, detail),
    });
    const release = () => {
      feeds.delete(tap);
      feed.close();
      giveBackTap();
      opened.giveBack?.();
    };
    feeds.set(tap, feed);
    this.#taps.set(tap, { pipeline, close: release });
    const refused = await feed.ask();
    // The socket may have closed, or a right gone, while the host was asked.
    if (refused === undefined && !this.#closed && this.#taps.has(tap)) {
      // Behind the answer that names it.
      setImmediate(() => feed.start());
      return { ok: true, tap };
    }
    this.#taps.delete(tap);
    release();
    return refusal(refused?.code ?? 'closed', refused?.message ?? 'The connection is closed.');
  }

  async #openFilter(text: string): Promise<FilterOutcome> {
    const giveBack = this.#parts.openFilters.take(this.#actor);
    if (giveBack === undefined)
      return {
        kind: 'refused',
        code: 'too-many',
        message: `You have ${CAPS.filtersOfAccount} filters running, which is the most: close a tap.`,
      };
    try {
      const opened = await openRecordFilter(this.#parts.filters, text);
      if (opened.kind === 'open') return { kind: 'open', filter: opened.filter, giveBack };
      giveBack();
      return { kind: 'refused', code: 'bad-filter', message: opened.message };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #closeTap(tap: string): EventAnswer<'tap.close'> {
    this.#taps.get(tap)?.close();
    this.#taps.delete(tap);
    return DONE;
  }

  #endTap(tap: string, code: string, detail: string): void {
    const pipeline = this.#taps.get(tap)?.pipeline;
    if (pipeline === undefined) return;
    this.#closeTap(tap);
    tell(this.#socket, 'tap.ended', { tap, pipeline, code, detail });
  }

  /** The host has ended it, or there is another host that would not open it. */
  tapEnded(tap: string, code: string, detail: string): void {
    this.#endTap(tap, code, detail);
  }
}

type FilterOutcome =
  | { readonly kind: 'open'; readonly filter: RecordFilter | undefined; readonly giveBack?: () => void }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

const NO_FILTER: FilterOutcome = { kind: 'open', filter: undefined };
