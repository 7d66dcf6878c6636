/** For tests: a server with one draft in memory, and connections to it that can be cut. */
import { EMPTY_HISTORY, encodeDocument, openShadow, record, seedDocument } from '@millrace/document';
import { readFolder } from '@millrace/graph';
import type { EventPayload, Peer } from '@millrace/protocol/api';
import type { Wire } from '../sockets/wire.ts';

type Answer = Record<string, unknown>;

export class FakeRelay {
  readonly pages = new Set<FakePage>();
  readonly histories = new Map<string, { revision: number; history: string }>();
  /** What the next update is answered with, once. */
  nextUpdate: Answer | 'no-answer' | undefined;
  epoch = 1;
  #clients = 1_000;
  readonly #issued = new Set<number>();
  #shadow;

  constructor(files: Readonly<Record<string, string>>) {
    const folder = readFolder(new Map(Object.entries(files)));
    this.#shadow = openShadow(
      encodeDocument(seedDocument(folder, { epoch: 1, clientId: 1, random: Math.random })),
    );
  }

  get document() {
    return this.#shadow.document();
  }

  open(page: FakePage, { client, vector }: EventPayload<'doc.open'>): Answer {
    page.client = client !== undefined && this.#issued.has(client) ? client : ++this.#clients;
    this.#issued.add(page.client);
    page.follows = true;
    return {
      ok: true,
      epoch: this.epoch,
      client: page.client,
      update: vector === undefined ? encodeDocument(this.document) : this.#shadow.missing(vector),
      vector: this.#shadow.stateVector(),
      canEdit: page.canEdit,
      history: this.history(page.account),
      peers: [],
    };
  }

  update(from: FakePage, bytes: Uint8Array): Answer {
    const next = this.nextUpdate;
    this.nextUpdate = undefined;
    if (typeof next === 'object') return next;
    const taken = this.#shadow.take(bytes, { clientIds: this.#issued });
    if (taken.kind === 'taken')
      for (const page of this.pages) if (page !== from) page.tell({ updates: [taken.update] });
    if (next === 'no-answer') throw new Error('no answer');
    if (taken.kind === 'taken' || taken.kind === 'known') return { ok: true };
    return { ok: false, code: taken.kind === 'resync' ? 'resync' : taken.code, detail: 'refused' };
  }

  history(account: string) {
    return this.histories.get(account) ?? { revision: 0, history: JSON.stringify(EMPTY_HISTORY) };
  }

  keepHistory(page: FakePage, { base, steps, history }: EventPayload<'doc.history'>): Answer {
    const current = this.history(page.account);
    if (history !== undefined && base !== current.revision)
      return { ok: false, code: 'conflict', detail: '', current };
    let next = JSON.parse(history ?? current.history);
    for (const step of JSON.parse(steps ?? '[]')) next = record(next, step);
    const stored = { revision: current.revision + 1, history: JSON.stringify(next) };
    this.histories.set(page.account, stored);
    for (const other of this.pages)
      if (other !== page && other.account === page.account) other.tell({ history: stored });
    return { ok: true, revision: stored.revision };
  }
}

export class FakePage implements Wire {
  client = 0;
  follows = false;
  canEdit = true;
  readonly presences: unknown[] = [];
  readonly #handlers = new Map<string, (payload: never, taken: () => void) => void>();
  readonly #listeners = new Set<() => void>();
  #isOnline = true;
  readonly relay: FakeRelay;
  readonly account: string;

  constructor(relay: FakeRelay, account: string) {
    this.relay = relay;
    this.account = account;
    relay.pages.add(this);
  }

  ask = (async (event: string, payload: never): Promise<unknown> => {
    await Promise.resolve();
    if (!this.#isOnline) throw new Error('away');
    if (event === 'doc.open') return this.relay.open(this, payload);
    if (event === 'doc.update') return this.relay.update(this, (payload as EventPayload<'doc.update'>).bytes);
    if (event === 'doc.history') return this.relay.keepHistory(this, payload);
    if (event === 'doc.presence') this.presences.push(payload);
    return { ok: true };
  }) as Wire['ask'];

  on = ((event: string, handler: never) => {
    this.#handlers.set(event, handler);
    return () => void this.#handlers.delete(event);
  }) as Wire['on'];

  isOnline = () => this.#isOnline;

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  cut(): void {
    this.follows = false;
    this.#become(false);
  }

  mend(): void {
    this.#become(true);
  }

  tell(news: Partial<EventPayload<'doc.news'>> & { readonly peers?: Peer[] }): void {
    if (!this.follows) return;
    const all = { pipeline: 'p_x', updates: [], peers: [], gone: [], ...news };
    this.#handlers.get('doc.news')?.(all as never, () => undefined);
  }

  end(code: string): void {
    this.follows = false;
    this.#handlers.get('doc.closed')?.({ pipeline: 'p_x', code, detail: code } as never, () => undefined);
  }

  #become(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const listener of [...this.#listeners]) listener();
  }
}
