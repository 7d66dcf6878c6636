/**
 * One draft's document while somebody works on it.
 *
 * Owns: the relay's copy, its rows, its followers. Does not own rights, sockets or the order of work: everything
 * here that returns a promise runs in the hub's queue of this draft. Invariants
 *   DR1  what followers are told and what is acknowledged is stored before.
 *   DR2  the folder of the draft, up to `folderPosition`, says what the document said then; whoever changes the
 *        folder does it in the queue, with nothing unwritten in the document, and the document takes it over.
 *   DR3  a write that fails ends the room: its copy holds what is not stored.
 */
import {
  encodeDocument,
  issueClientId,
  mergeUpdates,
  openShadow,
  renewDocument,
  SERVER_CLIENT_ID,
  type Shadow,
  seedDocument,
  toFolder,
} from '@millrace/document';
import { type NodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import type { DocumentStore, Drafts } from '@millrace/store';
import { draftOf } from '../catalog/folder/draft-folder.ts';
import type { Follower } from './follower.ts';
import { takeOverFolder } from './take-over-folder.ts';

export interface RoomParts {
  readonly documents: DocumentStore;
  readonly drafts: Drafts;
  readonly types: NodeTypes;
  readonly random: () => number;
}

export interface RoomPlace {
  readonly workspace: string;
  readonly pipeline: string;
}

export type RoomTaken =
  | { readonly kind: 'stored' }
  | { readonly kind: 'resync' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Rows are merged into one after so many. */
const ROWS_APART = 200;
/** A document of this size is made anew when nobody has it open, if that makes it half as large. */
const LARGE = 8 * 1024 * 1024;

export class DocumentRoom {
  readonly followers = new Set<Follower>();
  readonly place: RoomPlace;
  readonly #parts: RoomParts;
  #shadow: Shadow;
  #epoch: number;
  #position: number;
  #folderPosition: number;
  #folderRevision: number;
  #rows: number;
  #clients: Map<number, string>;
  #lastBy: string;

  private constructor(parts: RoomParts, place: RoomPlace, opened: Opened) {
    this.#parts = parts;
    this.place = place;
    this.#lastBy = opened.by;
    this.#shadow = opened.shadow;
    this.#epoch = opened.epoch;
    this.#position = opened.position;
    this.#folderPosition = opened.folderPosition;
    this.#folderRevision = opened.folderRevision;
    this.#rows = opened.rows;
    this.#clients = opened.clients;
  }

  /** `no-draft`, or a folder that cannot be edited as a graph. */
  static async open(parts: RoomParts, place: RoomPlace): Promise<DocumentRoom | 'no-draft' | 'unreadable'> {
    const draft = await parts.drafts.get(place.workspace, place.pipeline);
    if (draft === undefined) return 'no-draft';
    const folder = readFolder(draft.files);
    const stored = await openStored(parts, place, draft.updatedBy);
    if (stored === undefined || stored.shadow === undefined) {
      if (!folder.readable) return 'unreadable';
      const fresh = { epoch: (stored?.epoch ?? 0) + 1, position: (stored?.position ?? 0) + 1 };
      return new DocumentRoom(parts, place, await seed(parts, place, { ...fresh, folder, draft }));
    }
    const room = new DocumentRoom(parts, place, stored as Opened);
    if (!(await room.absorb())) return 'unreadable';
    await room.#renewIfLarge();
    return room;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get behind(): boolean {
    return this.#position > this.#folderPosition;
  }

  stateVector(): Uint8Array {
    return this.#shadow.stateVector();
  }

  /** Undefined: all of it. */
  missing(vector: Uint8Array | undefined): Uint8Array {
    return vector === undefined ? encodeDocument(this.#shadow.document()) : this.#shadow.missing(vector);
  }

  /** The one it had, if that was issued to this account; else a new one. */
  async clientFor(account: string, had: number | undefined): Promise<number> {
    if (had !== undefined && this.#clients.get(had) === account) return had;
    for (;;) {
      const client = issueClientId(new Set(this.#clients.keys()), this.#parts.random);
      if (!(await this.#parts.documents.issueClient(this.place.pipeline, client, account))) continue;
      this.#clients.set(client, account);
      return client;
    }
  }

  /** DR1. `account` may edit now. */
  async take(update: Uint8Array, account: string, from: Follower): Promise<RoomTaken> {
    const clientIds = new Set([...this.#clients].flatMap(([id, of]) => (of === account ? id : [])));
    const taken = this.#shadow.take(update, { clientIds });
    if (taken.kind === 'known') return { kind: 'stored' };
    if (taken.kind !== 'taken') return taken;
    await this.#store(taken.update, account);
    for (const follower of this.followers) if (follower !== from) follower.edited(taken.update);
    return { kind: 'stored' };
  }

  /** Writes the folder where the document is ahead of it (DR2). Hands back whether it is behind no more. */
  async flush(): Promise<boolean> {
    if (!this.behind) return true;
    const { documents, drafts, types } = this.#parts;
    const { workspace, pipeline } = this.place;
    const position = this.#position;
    const read = readFolder(toFolder(this.#shadow.document()));
    const { files, hash, name } = await draftOf(read, { id: pipeline, types });
    let marked = false;
    const saved = await drafts.save(
      workspace,
      pipeline,
      { files, hash, name, revision: undefined },
      {
        by: this.#lastBy,
        alongside: async (sql) => {
          await documents.markFolder(sql, pipeline, position);
          marked = true;
        },
      },
    );
    if (saved.kind !== 'saved') return false;
    if (!marked) await documents.markFolderNow(pipeline, position);
    this.#folderPosition = position;
    this.#folderRevision = saved.revision;
    return true;
  }

  /** Takes over what else changed the folder (DR2). False: the folder cannot be edited as a graph. */
  async absorb(): Promise<boolean> {
    const { documents, drafts, types, random } = this.#parts;
    const { workspace, pipeline } = this.place;
    const draft = await drafts.get(workspace, pipeline);
    if (draft === undefined) return false;
    // What people typed and what another wrote over the folder meanwhile: only a crash leaves both. Typing stays.
    if (draft.revision === this.#folderRevision || this.behind) return true;
    const folder = readFolder(draft.files);
    const outcome = takeOverFolder(this.#shadow, folder, { types, random });
    if (outcome.kind === 'anew') return this.#beginAnew(folder, draft.revision, draft.updatedBy);
    if (outcome.kind === 'edited') {
      await this.#store(outcome.update, draft.updatedBy);
      for (const follower of this.followers) follower.edited(outcome.update);
    }
    await documents.markFolderNow(pipeline, this.#position);
    this.#folderPosition = this.#position;
    this.#folderRevision = draft.revision;
    return true;
  }

  end(code: string, detail: string): void {
    for (const follower of [...this.followers]) follower.end(code, detail);
    this.followers.clear();
  }

  close(): void {
    this.#shadow.close();
  }

  async #store(update: Uint8Array, by: string): Promise<void> {
    const { documents } = this.#parts;
    const position = this.#position + 1;
    await documents.append(this.place.pipeline, position, update, by);
    this.#position = position;
    this.#lastBy = by;
    if (++this.#rows <= ROWS_APART) return;
    await documents.compact(this.place.pipeline, position, encodeDocument(this.#shadow.document()));
    this.#rows = 1;
  }

  async #beginAnew(folder: PipelineFolder, revision: number, by: string): Promise<boolean> {
    this.end('renewed', 'The draft was replaced by a folder; opening it again.');
    if (!folder.readable) return false;
    const { random } = this.#parts;
    const epoch = this.#epoch + 1;
    const document = seedDocument(folder, { epoch, clientId: SERVER_CLIENT_ID, random });
    await this.#begin(encodeDocument(document), epoch, { revision, by });
    document.close();
    return true;
  }

  async #renewIfLarge(): Promise<void> {
    const size = encodeDocument(this.#shadow.document()).length;
    if (size < LARGE || !(await this.flush())) return;
    const epoch = this.#epoch + 1;
    const document = renewDocument(this.#shadow.document(), { epoch, clientId: SERVER_CLIENT_ID });
    const state = encodeDocument(document);
    document.close();
    if (state.length * 2 > size) return;
    await this.#begin(state, epoch, { revision: this.#folderRevision, by: this.#lastBy });
  }

  async #begin(
    state: Uint8Array,
    epoch: number,
    { revision, by }: { readonly revision: number; readonly by: string },
  ): Promise<void> {
    const position = this.#position + 1;
    const start = { epoch, position, state, folderRevision: revision, by };
    await this.#parts.documents.begin(this.place.pipeline, start);
    this.#shadow.close();
    this.#shadow = openShadow(state);
    this.#epoch = epoch;
    this.#position = position;
    this.#folderPosition = position;
    this.#folderRevision = revision;
    this.#rows = 1;
    this.#clients = new Map();
  }
}

interface Opened {
  readonly shadow: Shadow;
  readonly epoch: number;
  readonly position: number;
  readonly folderPosition: number;
  readonly folderRevision: number;
  readonly rows: number;
  readonly clients: Map<number, string>;
  readonly by: string;
}

/** Without a `shadow` what is stored is no document this build can read: it begins anew from the folder. */
async function openStored(
  { documents }: RoomParts,
  { pipeline }: RoomPlace,
  by: string,
): Promise<(Omit<Opened, 'shadow'> & { readonly shadow: Shadow | undefined }) | undefined> {
  const stored = await documents.load(pipeline);
  if (stored === undefined) return undefined;
  const { epoch, folderPosition, folderRevision, updates, clients } = stored;
  const position = updates.at(-1)?.position ?? folderPosition;
  const rows = updates.length;
  const shadow = shadowOf(updates.map(({ bytes }) => bytes));
  return { shadow, epoch, position, folderPosition, folderRevision, rows, clients: new Map(clients), by };
}

function shadowOf(updates: readonly Uint8Array[]): Shadow | undefined {
  if (updates.length === 0) return undefined;
  try {
    const shadow = openShadow(mergeUpdates(updates));
    if (shadow.document().epoch() !== undefined) return shadow;
    shadow.close();
    return undefined;
  } catch {
    return undefined;
  }
}

interface Seed {
  readonly epoch: number;
  readonly position: number;
  readonly folder: PipelineFolder;
  readonly draft: { readonly revision: number; readonly updatedBy: string };
}

async function seed(
  { documents, random }: RoomParts,
  { pipeline }: RoomPlace,
  { epoch, position, folder, draft }: Seed,
): Promise<Opened> {
  const document = seedDocument(folder, { epoch, clientId: SERVER_CLIENT_ID, random });
  const state = encodeDocument(document);
  document.close();
  const { revision: folderRevision, updatedBy: by } = draft;
  await documents.begin(pipeline, { epoch, position, state, folderRevision, by });
  return {
    ...{ shadow: openShadow(state), epoch, position, folderPosition: position, folderRevision },
    ...{ rows: 1, clients: new Map(), by },
  };
}
