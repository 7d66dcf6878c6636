/**
 * Edits that the server has not acknowledged, kept in this browser so that closing the tab loses none: by account,
 * draft and epoch, removed one by one as they are acknowledged, all of them when somebody logs out. Where the
 * browser keeps nothing (private windows), they live as long as the page.
 */
export interface OfflineEdit {
  readonly id: number;
  readonly epoch: number;
  readonly update: Uint8Array;
}

export interface OfflineEdits {
  /** In order of making. Only those of the document's epoch can still be sent. */
  readonly load: () => Promise<readonly OfflineEdit[]>;
  readonly add: (epoch: number, update: Uint8Array) => Promise<number | undefined>;
  readonly remove: (ids: readonly number[]) => Promise<void>;
  /** The document they were made on, with them in it: read when the server's document is another by then. */
  readonly keepWhole: (epoch: number, whole: Whole) => Promise<void>;
  readonly whole: (epoch: number) => Promise<Whole | undefined>;
  readonly dropWhole: (epoch: number) => Promise<void>;
}

export interface Whole {
  /** The state of the document, as one update. */
  readonly state: Uint8Array;
  /** UTC ms. */
  readonly at: number;
}

interface Row {
  readonly id?: number;
  readonly owner: string;
  readonly epoch: number;
  readonly update: Uint8Array;
}

const DATABASE = 'millrace-drafts';
const EDITS = 'edits';
const WHOLES = 'wholes';

export function offlineEdits(account: string, pipeline: string): OfflineEdits {
  const owner = JSON.stringify([account, pipeline]);
  return {
    async load() {
      const rows = await run<Row[]>(EDITS, 'readonly', (store) => store.index('owner').getAll(owner));
      return (rows ?? []).map(({ id = 0, epoch, update }) => ({ id, epoch, update }));
    },
    add: async (epoch, update) => {
      const row: Row = { owner, epoch, update };
      return (await run<IDBValidKey>(EDITS, 'readwrite', (store) => store.add(row))) as number | undefined;
    },
    async remove(ids) {
      await run(EDITS, 'readwrite', (store) => {
        let last: IDBRequest | undefined;
        for (const id of ids) last = store.delete(id);
        return last;
      });
    },
    async keepWhole(epoch, whole) {
      await run(WHOLES, 'readwrite', (store) => store.put(whole, keyOf(owner, epoch)));
    },
    whole: (epoch) => run<Whole>(WHOLES, 'readonly', (store) => store.get(keyOf(owner, epoch))),
    async dropWhole(epoch) {
      await run(WHOLES, 'readwrite', (store) => store.delete(keyOf(owner, epoch)));
    },
  };
}

/** Of everybody who ever worked here. */
export async function forgetOfflineEdits(): Promise<void> {
  await run(EDITS, 'readwrite', (store) => store.clear());
  await run(WHOLES, 'readwrite', (store) => store.clear());
}

const keyOf = (owner: string, epoch: number): string => `${owner} ${epoch}`;

let opened: Promise<IDBDatabase | undefined> | undefined;

function open(): Promise<IDBDatabase | undefined> {
  opened ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') return resolve(undefined);
    const request = indexedDB.open(DATABASE, 2);
    request.onupgradeneeded = () => {
      const { result } = request;
      if (!result.objectStoreNames.contains(EDITS))
        result.createObjectStore(EDITS, { keyPath: 'id', autoIncrement: true }).createIndex('owner', 'owner');
      result.createObjectStore(WHOLES);
    };
    request.onsuccess = () => {
      // A newer page in another tab wants the room: it does without us.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => resolve(undefined);
    request.onblocked = () => resolve(undefined);
  });
  return opened;
}

/** Undefined where it could not be done: keeping edits here is a second safety, never a condition. */
async function run<T>(
  name: typeof EDITS | typeof WHOLES,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | IDBRequest | undefined,
): Promise<T | undefined> {
  const database = await open();
  if (database === undefined) return undefined;
  return new Promise((resolve) => {
    try {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request?.result as T | undefined);
      transaction.onerror = () => resolve(undefined);
      transaction.onabort = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}
