/**
 * All drafts that are being worked on, each with a queue of its own: edits, folders and openings come one after
 * the other.
 *
 * Owns: which rooms are open, when their folders are written. Invariants
 *   DH1  a draft without a room has a folder that is up to date: a room closes when it was written, and what a
 *        crash left behind is written before anything is served.
 *   DH2  edits are in the folder a second after they came, and before anybody reads it through the catalog.
 */
import type { NodeTypes } from '@millrace/graph';
import type { DocumentStore, Drafts } from '@millrace/store';
import type { Logger } from 'pino';
import { DocumentRoom, type RoomParts, type RoomPlace } from './document-room.ts';
import { type Histories, histories } from './histories.ts';
import { type Serial, serial } from './serial.ts';

export interface DocumentHubOptions {
  readonly documents: DocumentStore;
  /** Themselves, not those that ask the hub. */
  readonly drafts: Drafts;
  readonly types: NodeTypes;
  readonly log: Logger;
  readonly random?: () => number;
}

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly code: string;
  readonly detail: string;
}

interface Place {
  readonly queue: Serial;
  room: DocumentRoom | undefined;
  timer: NodeJS.Timeout | undefined;
  /** How many wait in the queue or are served. */
  busy: number;
}

const WRITE_AFTER_MS = 1_000;
/** A reload comes back within this. */
const KEEP_MS = 20_000;

export class DocumentHub {
  readonly histories: Histories;
  readonly #parts: RoomParts;
  readonly #log: Logger;
  readonly #places = new Map<string, Place>();
  #closed = false;

  constructor({ documents, drafts, types, log, random = Math.random }: DocumentHubOptions) {
    this.#parts = { documents, drafts, types, random };
    this.#log = log;
    this.histories = histories(documents);
  }

  /** DH1. */
  async start(): Promise<void> {
    for (const place of await this.#parts.documents.behind())
      await this.within(place, async (room) => {
        await room.flush();
      }).catch((error: unknown) => this.#log.error({ err: error, ...place }, 'a draft was not written'));
  }

  /** Works in the room of a draft, in its queue; opens it first. */
  within<T>(place: RoomPlace, work: (room: DocumentRoom) => Promise<T>): Promise<T | Unavailable> {
    return this.#inQueue(place.pipeline, async (at): Promise<T | Unavailable> => {
      if (this.#closed) return unavailable('stopping', 'The server is being stopped.');
      if (at.room === undefined) {
        const opened = await DocumentRoom.open(this.#parts, place);
        if (typeof opened === 'string') return NOT_OPEN[opened];
        at.room = opened;
      }
      if (at.room.place.workspace !== place.workspace) return NOT_OPEN['no-draft'];
      return this.#guarded(at, () => work(at.room!));
    });
  }

  /** DH2: for whoever is about to read the folder. */
  async written(pipeline: string): Promise<void> {
    if (this.#places.get(pipeline)?.room === undefined) return;
    await this.#inQueue(pipeline, (at) => this.#guarded(at, async () => void (await at.room?.flush())));
  }

  /** Changes the folder beside the document, which takes it over afterwards. */
  beside<T>(pipeline: string, change: () => Promise<T>): Promise<T> {
    return this.#inQueue(pipeline, async (at) => {
      await this.#guarded(at, async () => void (await at.room?.flush()));
      const result = await change();
      await this.#guarded(at, async () => {
        if ((await at.room?.absorb()) === false) this.#endRoom(at, ...UNREADABLE);
      });
      return result;
    });
  }

  /** Ends the work on a draft that is going away, with all of it written. */
  async leave<T>(pipeline: string, change: () => Promise<T>, hasGone: (result: T) => boolean): Promise<T> {
    return this.#inQueue(pipeline, async (at) => {
      await this.#guarded(at, async () => void (await at.room?.flush()));
      const result = await change();
      if (hasGone(result)) this.#endRoom(at, 'not-found', 'This pipeline has been deleted.');
      return result;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#places];
    await Promise.all(
      open.map(([pipeline, at]) =>
        at.queue
          .run(async () => {
            await at.room?.flush();
            this.#endRoom(at, 'stopping', 'The server is being stopped.');
          })
          .catch((error: unknown) =>
            this.#log.error({ err: error, pipeline }, 'a draft was not written; the next start does it'),
          ),
      ),
    );
  }

  async #inQueue<T>(pipeline: string, work: (at: Place) => Promise<T>): Promise<T> {
    const at = this.#place(pipeline);
    at.busy++;
    try {
      return await at.queue.run(() => work(at));
    } finally {
      at.busy--;
      this.#later(pipeline, at);
    }
  }

  #place(pipeline: string): Place {
    const found = this.#places.get(pipeline);
    if (found !== undefined) return found;
    const made: Place = { queue: serial(), room: undefined, timer: undefined, busy: 0 };
    this.#places.set(pipeline, made);
    return made;
  }

  /** DR3. */
  async #guarded<T>(at: Place, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#endRoom(at, 'failed', 'The server could not store the draft; opening it again.');
      throw error;
    }
  }

  #endRoom(at: Place, code: string, detail: string): void {
    at.room?.end(code, detail);
    at.room?.close();
    at.room = undefined;
  }

  /** The next thing to do about a draft nobody asks for right now. */
  #later(pipeline: string, at: Place): void {
    if (at.busy > 0 || at.timer !== undefined) return;
    if (at.room === undefined) {
      this.#places.delete(pipeline);
      return;
    }
    if (!at.room.behind && at.room.followers.size > 0) return;
    if (this.#closed) return;
    at.timer = setTimeout(
      () => {
        at.timer = undefined;
        void this.#tidy(pipeline).catch((error: unknown) =>
          this.#log.error({ err: error, pipeline }, 'a draft was not written'),
        );
      },
      at.room.behind ? WRITE_AFTER_MS : KEEP_MS,
    );
    at.timer.unref();
  }

  async #tidy(pipeline: string): Promise<void> {
    await this.#inQueue(pipeline, (at) =>
      this.#guarded(at, async () => {
        if (at.room === undefined) return;
        const waited = !at.room.behind;
        const written = await at.room.flush();
        if (!written || (waited && at.room.followers.size === 0)) this.#endRoom(at, ...UNREADABLE);
      }),
    );
  }
}

const UNREADABLE = ['unreadable', 'This draft cannot be edited here any more.'] as const;

const unavailable = (code: string, detail: string): Unavailable => ({ kind: 'unavailable', code, detail });

const NOT_OPEN: Readonly<Record<'no-draft' | 'unreadable', Unavailable>> = {
  'no-draft': unavailable('not-found', 'There is no such pipeline, or you may not see it.'),
  unreadable: unavailable(
    'unreadable',
    'The pipeline.json of this draft cannot be read: mend it with the command line (pull, edit, push).',
  ),
};

export const isUnavailable = <T>(result: T | Unavailable): result is Unavailable =>
  typeof result === 'object' && result !== null && (result as Unavailable).kind === 'unavailable';
