/**
 * One pipeline's numbers for one socket: frames one after the other, each only once the last was acknowledged.
 *
 *   quiet ──news──> waiting ──time──> in flight ──acknowledged──> quiet, or waiting if there was news meanwhile
 *
 * Invariants
 *   VF1  at most one frame is on its way; a client that reads nothing costs that one.
 *   VF2  at most ten frames a second.
 *   VF3  a frame holds the newest numbers at the moment it leaves; what it skipped is counted.
 */
import { type EventPayload, encodeView, type ViewTable, viewTable } from '@millrace/protocol/api';
import type { Observation } from '@millrace/protocol/control';
import type { Newest, ViewBoard } from './view-board.ts';

export interface ViewFeedOptions {
  readonly board: ViewBoard;
  readonly pipeline: string;
  /** The last frame this client saw before it lost its connection. */
  readonly after: number | undefined;
  /** What is observed, as this client may see it now. */
  readonly shown: (state: Observation) => Observation;
  /** `taken` is called once the client has acknowledged. */
  readonly send: (frame: EventPayload<'view.frame'>, taken: () => void) => void;
}

const EVERY_MS = 100;

export class ViewFeed {
  readonly #options: ViewFeedOptions;
  readonly #stop: () => void;
  #inFlight = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sent: number | undefined;
  #table: ViewTable | undefined;
  #tableText = '';
  #state: Newest['state'];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ViewFeedOptions) {
    this.#options = options;
    this.#sent = options.after;
    this.#stop = options.board.watch(options.pipeline, () => this.#consider());
    // Before anything is known there is nothing to send; the client is told by the first news.
    this.#consider();
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    clearTimeout(this.#timer);
  }

  #consider(): void {
    if (this.#closed || this.#inFlight || this.#timer !== undefined) return;
    const newest = this.#options.board.newest(this.#options.pipeline);
    // After a reconnect the table is sent anew, with whatever is the newest then.
    if (newest.sequence === 0 || (newest.sequence === this.#sent && this.#table !== undefined)) return;
    const wait = this.#sentAt + EVERY_MS - performance.now();
    if (wait <= 0) return this.#send(newest);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#consider();
    }, wait);
  }

  #send(newest: Newest): void {
    const { pipeline, send } = this.#options;
    const skipped = this.#sent === undefined ? 0 : Math.max(0, newest.sequence - this.#sent - 1);
    this.#sentAt = performance.now();
    this.#sent = newest.sequence;
    this.#inFlight = true;
    send(
      { pipeline, sequence: newest.sequence, skipped, ...this.#body(newest), ...this.#news(newest) },
      () => {
        this.#inFlight = false;
        this.#consider();
      },
    );
  }

  #body({ progress }: Newest): Pick<EventPayload<'view.frame'>, 'table' | 'body'> {
    if (progress === undefined) {
      this.#table ??= EMPTY;
      return {};
    }
    const table = viewTable(progress);
    const text = JSON.stringify(table);
    const isNew = text !== this.#tableText;
    if (isNew) {
      this.#table = table;
      this.#tableText = text;
    }
    // Without a copy: one encoding is small, and each client may hold another table.
    return { ...(isNew ? { table: copyOf(table) } : {}), body: encodeView(table, progress) };
  }

  #news({ state }: Newest): Pick<EventPayload<'view.frame'>, 'state'> {
    if (state === undefined || state === this.#state) return {};
    this.#state = state;
    return { state: this.#options.shown(state) };
  }
}

const EMPTY: ViewTable = { version: 0, nodes: [], streams: [] };

function copyOf({ version, nodes, streams }: ViewTable): NonNullable<EventPayload<'view.frame'>['table']> {
  return {
    version,
    nodes: nodes.map(({ counts, ...node }) => ({ ...node, counts: [...counts] })),
    streams: [...streams],
  };
}
