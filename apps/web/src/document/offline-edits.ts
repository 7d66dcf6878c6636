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
}

interface Row {
  readonly id?: number;
  readonly owner: string;
  readonly epoch: number;
  readonly update: Uint8Array;
}

const DATABASE = 'millrace-drafts';
const EDITS = 'edits';

export function offlineEdits(account: string, pipeline: string): OfflineEdits {
  const owner = JSON.stringify([account, pipeline]);
  return {
    async load() {
      const rows = await run<Row[]>('readonly', (store) => store.index('owner').getAll(owner));
      return (rows ?? []).map(({ id = 0, epoch, update }) => ({ id, epoch, update }));
    },
    add: async (epoch, update) => {
      const row: Row = { owner, epoch, update };
      return (await run<IDBValidKey>('readwrite', (store) => store.add(row))) as number | undefined;
    },
    async remove(ids) {
      await run('readwrite', (store) => {
        let last: IDBRequest | undefined;
        for (const id of ids) last = store.delete(id);
        return last;
      });
    },
  };
}

/** Of everybody who ever worked here. */
export async function forgetOfflineEdits(): Promise<void> {
  await run('readwrite', (store) => store.clear());
}

let opened: Promise<IDBDatabase | undefined> | undefined;

function open(): Promise<IDBDatabase | undefined> {
  opened ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') return resolve(undefined);
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore(EDITS, { keyPath: 'id', autoIncrement: true });
      store.createIndex('owner', 'owner');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
    request.onblocked = () => resolve(undefined);
  });
  return opened;
}

/** Undefined where it could not be done: keeping edits here is a second safety, never a condition. */
async function run<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | IDBRequest | undefined,
): Promise<T | undefined> {
  const database = await open();
  if (database === undefined) return undefined;
  return new Promise((resolve) => {
    try {
      const transaction = database.transaction(EDITS, mode);
      const request = work(transaction.objectStore(EDITS));
      transaction.oncomplete = () => resolve(request?.result as T | undefined);
      transaction.onerror = () => resolve(undefined);
      transaction.onabort = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}
