/** Where the product keeps everything: the folder that is named, else `.millrace` beside the program. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolder } from '../package-folder.ts';

export function productFolder(given: string | undefined): string {
  return given === undefined ? join(packageFolder, '../../.millrace') : resolve(given);
}

export function makeProductFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be made: ${(error as Error).message}. Give another place with --data.`,
    );
  }
}
