/** The store a run keeps its state in: the Postgres of `DATABASE_URL`, else one of our own under `--data`. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openStore, type Store } from '@millrace/store';
import type { RunCommand } from '../command-line.ts';
import { ownFolder } from '../folder/own-folder.ts';

export async function openRunStore(
  { data }: Pick<RunCommand, 'data'>,
  /** Real path of the pipeline folder. */
  root: string,
  log: (message: string) => void,
  faults: { readonly unlockedSequencerCheck?: boolean; readonly segmentBytes?: number | undefined } = {},
): Promise<Store> {
  const url = process.env.DATABASE_URL;
  if (url) {
    if (data !== undefined) log('DATABASE_URL is set: state is kept there, not under --data.');
    return openStore({ url }, log, faults);
  }
  return openStore(
    { dataDir: data === undefined ? await ownFolder(root, 'data') : await made(data) },
    log,
    faults,
  );
}

async function made(folder: string): Promise<string> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new Error(
      `The data folder ${path} cannot be made: ${error.message}. Give another place with --data.`,
    );
  });
  return path;
}
