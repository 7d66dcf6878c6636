/**
 * What one connection is still to be told of a document.
 *
 * Owns: what waits to be sent. One message is in flight; until it is acknowledged, edits wait (up to a limit,
 * beyond which the connection has to open the document again) and of everything else only the newest is kept. So
 * a client that stops reading costs a bounded amount.
 */
import type { EventPayload, Peer, PresenceState } from '@millrace/protocol/api';
import type { StoredHistory } from '@millrace/store';

export type News = Omit<EventPayload<'doc.news'>, 'pipeline'>;

export interface FollowerOptions {
  readonly client: number;
  readonly account: string;
  readonly name: string;
  readonly canEdit: boolean;
  /** `taken`: it was acknowledged. */
  readonly send: (news: News, taken: () => void) => void;
  readonly closed: (code: string, detail: string) => void;
}

const MOST_WAITING = 2 * 1024 * 1024;

export class Follower {
  readonly client: number;
  readonly account: string;
  readonly name: string;
  state: PresenceState = {};
  #canEdit: boolean;
  readonly #options: FollowerOptions;
  #updates: Uint8Array[] = [];
  #size = 0;
  readonly #peers = new Map<number, Peer | undefined>();
  #history: StoredHistory | undefined;
  #right: { readonly canEdit: boolean; readonly detail: string } | undefined;
  #inFlight = false;
  #scheduled = false;
  #ended = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.client = options.client;
    this.account = options.account;
    this.name = options.name;
    this.#canEdit = options.canEdit;
  }

  get canEdit(): boolean {
    return this.#canEdit;
  }

  get peer(): Peer {
    return { client: this.client, account: this.account, name: this.name, state: this.state };
  }

  edited(update: Uint8Array): void {
    this.#updates.push(update);
    this.#size += update.length;
    if (this.#size > MOST_WAITING) this.end('behind', 'The connection is too slow; opening the draft again.');
    else this.#schedule();
  }

  /** Undefined: gone. */
  showPeer(client: number, peer: Peer | undefined): void {
    this.#peers.set(client, peer);
    this.#schedule();
  }

  showHistory(history: StoredHistory): void {
    this.#history = history;
    this.#schedule();
  }

  setRight(canEdit: boolean, detail: string): void {
    if (canEdit === this.#canEdit) return;
    this.#canEdit = canEdit;
    this.#right = { canEdit, detail };
    this.#schedule();
  }

  end(code: string, detail: string): void {
    if (this.#ended) return;
    this.stop();
    this.#options.closed(code, detail);
  }

  /** Without a word. */
  stop(): void {
    this.#ended = true;
    this.#updates = [];
    this.#peers.clear();
  }

  /** What happens at once is told at once. */
  #schedule(): void {
    if (this.#inFlight || this.#scheduled || this.#ended) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#ended || this.#inFlight) return;
    const all = [...this.#peers];
    const news: News = {
      updates: this.#updates,
      peers: all.flatMap(([, peer]) => peer ?? []),
      gone: all.flatMap(([client, peer]) => (peer === undefined ? [client] : [])),
      ...(this.#history !== undefined && { history: this.#history }),
      ...this.#right,
    };
    this.#updates = [];
    this.#size = 0;
    this.#peers.clear();
    this.#history = undefined;
    this.#right = undefined;
    this.#inFlight = true;
    this.#options.send(news, () => {
      this.#inFlight = false;
      if (this.#waits()) this.#schedule();
    });
  }

  #waits(): boolean {
    const others = this.#history !== undefined || this.#right !== undefined;
    return this.#updates.length > 0 || this.#peers.size > 0 || others;
  }
}
