/** The store of a data folder, whether its server runs or not. */
import { existsSync } from 'node:fs';
import { DEFAULT_PORT, readServerFile, type ServeOptions, serveOptions } from '@millrace/server';
import { openStore, type Store, StoreError } from '@millrace/store';
import { productFolder } from './product-folder.ts';

export interface ProductStore {
  readonly store: Store;
  /** Where its server is reached, or will be. */
  readonly address: string;
  readonly isRunning: boolean;
}

export async function openProductStore(data: string | undefined): Promise<ProductStore> {
  const options = serveOptions({ data }, process.env, productFolder);
  if (typeof options === 'string') throw new Error(options);
  const { dataDir, databaseUrl } = options;
  if (databaseUrl === undefined) refuseAbsent(dataDir);
  const running = readServerFile(dataDir);
  const isRunning = running !== undefined;
  const address = running?.address ?? addressLater(options);
  if (databaseUrl !== undefined)
    return { store: await openStore({ url: databaseUrl }, quiet), address, isRunning };
  try {
    return { store: await openStore({ dataDir }, quiet), address, isRunning: false };
  } catch (error) {
    const isInUse = error instanceof StoreError && error.code === 'in-use';
    if (!isInUse || !running?.database) throw error;
    return { store: await openStore(running.database, quiet), address, isRunning };
  }
}

/** A folder that is misspelt must not become a database of its own, with links that no server knows. */
function refuseAbsent(dataDir: string): void {
  if (existsSync(dataDir)) return;
  throw new Error(
    `No server kept its data in ${dataDir} yet: name its folder with --data, or start it once.`,
  );
}

const addressLater = ({ publicUrl, host, port }: ServeOptions): string =>
  publicUrl?.origin ?? `http://${host}:${port ?? DEFAULT_PORT}`;

const quiet = (): void => undefined;
