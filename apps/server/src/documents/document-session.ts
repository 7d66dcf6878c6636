/**
 * The documents one socket has open, and the rights they rest on.
 *
 * Invariants
 *   DS1  a document is followed only while the actor, as last read, may read it; edits are stored only if the
 *        actor may write at the moment they are judged.
 *   DS2  parts of an update that is not complete are bounded, and gone with the document.
 */
import { MAX_UPDATE } from '@millrace/document';
import type { EventAnswer, EventPayload } from '@millrace/protocol/api';
import { eventSpec } from '@millrace/protocol/api';
import type { Entries } from '@millrace/store';
import type { Socket } from 'socket.io';
import { type Actor, may } from '../http/actor.ts';
import { type EventHandlers, tell } from '../live/event-hub.ts';
import { type DocumentHub, isUnavailable } from './document-hub.ts';
import type { DocumentRoom, RoomPlace } from './document-room.ts';
import type { Edited } from './edit-audit.ts';
import { Follower } from './follower.ts';

type DocumentEvent = 'doc.open' | 'doc.close' | 'doc.update' | 'doc.presence' | 'doc.history';
export type DocumentHandlers = Pick<EventHandlers, DocumentEvent>;

export interface DocumentSessionOptions {
  readonly hub: DocumentHub;
  readonly entries: Pick<Entries, 'get'>;
  readonly socket: Socket;
  readonly actor: () => Actor;
  /** An edit was stored. */
  readonly edited: Edited;
}

interface OpenDocument {
  readonly room: DocumentRoom;
  readonly follower: Follower;
  readonly readOnly: boolean;
  parts: Uint8Array[];
  size: number;
}

const MOST_OPEN = 8;
const DONE = { ok: true as const };
const refuse = (code: string, detail: string) => ({ ok: false as const, code, detail });
const NOT_OPEN = refuse('not-open', 'Open the document first.');
const NO_RIGHT = 'You may look at this pipeline, not edit it.';
const IS_SAMPLE = 'This is a sample and stays as it is. Duplicate it to make it yours.';

export class DocumentSession {
  readonly handlers: DocumentHandlers = {
    'doc.open': (payload) => this.#open(payload),
    'doc.close': ({ pipeline }) => this.#close(pipeline),
    'doc.update': (payload) => this.#update(payload),
    'doc.presence': ({ pipeline, state }) => {
      const open = this.#documents.get(pipeline);
      if (open === undefined) return NOT_OPEN;
      const { dragging: _, ...looking } = state;
      // What is dragged moves on everybody's canvas: not for who may only look.
      open.follower.state = this.#mayEdit(pipeline, open.readOnly) ? state : looking;
      showOthers(open, open.follower);
      return DONE;
    },
    'doc.history': (payload) => this.#history(payload),
  };
  readonly #options: DocumentSessionOptions;
  readonly #documents = new Map<string, OpenDocument>();
  #closed = false;

  constructor(options: DocumentSessionOptions) {
    this.#options = options;
  }

  get pipelines(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** DS1, after the actor was read again. */
  recheck(isVisible: (pipeline: string) => boolean): void {
    for (const [pipeline, { follower, readOnly }] of [...this.#documents]) {
      if (!isVisible(pipeline) || !may(this.#options.actor(), eventSpec('doc.news').permission, pipeline))
        follower.end('not-allowed', 'You may not see this any more.');
      else follower.setRight(this.#mayEdit(pipeline, readOnly), readOnly ? IS_SAMPLE : NO_RIGHT);
    }
  }

  close(): void {
    this.#closed = true;
    for (const pipeline of [...this.#documents.keys()]) this.#close(pipeline);
  }

  async #open({
    pipeline,
    client,
    epoch,
    vector,
  }: EventPayload<'doc.open'>): Promise<EventAnswer<'doc.open'>> {
    const { hub, entries } = this.#options;
    const { workspace } = this.#options.actor();
    this.#close(pipeline);
    if (this.#documents.size >= MOST_OPEN)
      return refuse('too-many', `A page has at most ${MOST_OPEN} drafts open at once: close one.`);
    const entry = await entries.get(workspace, pipeline);
    if (entry === undefined) return refuse('not-found', 'There is no such pipeline, or you may not see it.');
    const place: RoomPlace = { workspace, pipeline };
    const answer = await hub.within(place, async (room): Promise<EventAnswer<'doc.open'>> => {
      const same = epoch === undefined || epoch === room.epoch;
      const had = same ? client : undefined;
      const opened = await this.#follow(room, { had, readOnly: entry.readOnly });
      if (opened === undefined)
        return refuse('closed', 'The connection is closed, or a right was withdrawn.');
      const { follower } = opened;
      return {
        ok: true,
        epoch: room.epoch,
        client: follower.client,
        update: room.missing(same ? vector : undefined),
        vector: room.stateVector(),
        canEdit: follower.canEdit,
        ...(!follower.canEdit && { detail: entry.readOnly ? IS_SAMPLE : NO_RIGHT }),
        history: await hub.histories.get(pipeline, follower.account),
        peers: [...room.followers].filter((one) => one !== follower).map(({ peer }) => peer),
      };
    });
    return isUnavailable(answer) ? refuse(answer.code, answer.detail) : answer;
  }

  async #follow(
    room: DocumentRoom,
    { had, readOnly }: { readonly had: number | undefined; readonly readOnly: boolean },
  ): Promise<OpenDocument | undefined> {
    const { pipeline } = room.place;
    const { account, name } = personOf(this.#options.actor());
    const client = await room.clientFor(account, had);
    const isAllowed = may(this.#options.actor(), eventSpec('doc.open').permission, pipeline);
    if (this.#closed || !isAllowed) return undefined;
    for (const ghost of room.followers)
      if (ghost.client === client) ghost.end('behind', 'This page has connected again.');
    const follower = new Follower({
      client,
      account,
      name,
      canEdit: this.#mayEdit(pipeline, readOnly),
      send: (news, taken) => tell(this.#options.socket, 'doc.news', { pipeline, ...news }, taken),
      closed: (code, detail) => {
        this.#close(pipeline);
        tell(this.#options.socket, 'doc.closed', { pipeline, code, detail });
      },
    });
    const open: OpenDocument = { room, follower, readOnly, parts: [], size: 0 };
    this.#close(pipeline);
    this.#documents.set(pipeline, open);
    room.followers.add(follower);
    showOthers(open, follower);
    return open;
  }

  #close(pipeline: string): EventAnswer<'doc.close'> {
    const open = this.#documents.get(pipeline);
    if (open === undefined) return DONE;
    this.#documents.delete(pipeline);
    open.follower.stop();
    open.room.followers.delete(open.follower);
    for (const other of open.room.followers) other.showPeer(open.follower.client, undefined);
    // The queue sees that the room may close.
    void this.#options.hub.written(pipeline).catch(() => undefined);
    return DONE;
  }

  async #update({ pipeline, bytes, more }: EventPayload<'doc.update'>): Promise<EventAnswer<'doc.update'>> {
    const open = this.#documents.get(pipeline);
    if (open === undefined) return NOT_OPEN;
    open.parts.push(bytes);
    open.size += bytes.length;
    if (open.size > MAX_UPDATE) {
      forget(open);
      return refuse('too-large', 'An update has at most 1 MB.');
    }
    if (more === true) return DONE;
    const update = joined(open);
    const { workspace } = this.#options.actor();
    const taken = await this.#options.hub.within({ workspace, pipeline }, async (room) => {
      // Rights, and whether the document is still the one that was opened, as of now.
      if (this.#documents.get(pipeline) !== open || room !== open.room) return NOT_OPEN;
      if (!this.#mayEdit(pipeline, open.readOnly))
        return refuse(open.readOnly ? 'read-only' : 'not-allowed', open.readOnly ? IS_SAMPLE : NO_RIGHT);
      return room.take(update, open.follower.account, open.follower);
    });
    if ('ok' in taken) return taken;
    if (isUnavailable(taken)) return refuse(taken.code, taken.detail);
    if (taken.kind === 'stored') {
      this.#options.edited(this.#options.actor(), pipeline);
      return DONE;
    }
    if (taken.kind === 'resync') return refuse('resync', 'Edits before these are missing.');
    return refuse(taken.code, `${taken.message[0]?.toUpperCase()}${taken.message.slice(1)}.`);
  }

  async #history(payload: EventPayload<'doc.history'>): Promise<EventAnswer<'doc.history'>> {
    const { pipeline, base, steps, history } = payload;
    const open = this.#documents.get(pipeline);
    if (open === undefined) return NOT_OPEN;
    const { histories } = this.#options.hub;
    const { account } = open.follower;
    const { workspace } = this.#options.actor();
    const saved = await this.#options.hub.within({ workspace, pipeline }, async () => {
      if (steps !== undefined) return histories.add(pipeline, account, steps);
      if (history !== undefined) return histories.replace(pipeline, account, { revision: base, history });
      return { kind: 'malformed' as const };
    });
    switch (saved.kind) {
      case 'saved':
        for (const other of open.room.followers)
          if (other !== open.follower && other.account === account) other.showHistory(saved.history);
        return { ok: true, revision: saved.history.revision };
      case 'conflict':
        return { ...refuse('conflict', 'Another page of yours went on.'), current: saved.current };
      case 'malformed':
        return refuse('invalid', 'This is no history.');
      case 'unavailable':
        return refuse(saved.code, saved.detail);
    }
  }

  #mayEdit(pipeline: string, readOnly: boolean): boolean {
    return !readOnly && may(this.#options.actor(), eventSpec('doc.update').permission, pipeline);
  }
}

function showOthers({ room }: OpenDocument, { client, peer }: Follower): void {
  for (const other of room.followers) if (other.client !== client) other.showPeer(client, peer);
}

function personOf(actor: Actor): { readonly account: string; readonly name: string } {
  if (actor.kind === 'nobody') throw new Error('nobody has no socket');
  return { account: actor.account, name: actor.name };
}

/** DS2. */
function forget(open: OpenDocument): void {
  open.parts = [];
  open.size = 0;
}

function joined(open: OpenDocument): Uint8Array {
  const [first, ...more] = open.parts;
  const all = first !== undefined && more.length === 0 ? first : new Uint8Array(Buffer.concat(open.parts));
  forget(open);
  return all;
}
