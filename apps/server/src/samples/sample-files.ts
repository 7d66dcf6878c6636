/** Puts the data a sample or template reads where its pipeline looks for it: under the files of the workspace. */
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Beginning } from './sample.ts';

export interface SampleFiles {
  /** The folder relative to the workspace's files; made anew, whatever was there. */
  copy(sample: Beginning, workspace: string, folder: string): Promise<string>;
}

/** `filesFolder`: `<data>/files`. */
export function sampleFiles(filesFolder: string): SampleFiles {
  return {
    async copy(sample, workspace, name) {
      const root = `samples/${name}`;
      const folder = path.join(filesFolder, workspace, root);
      await mkdir(folder, { recursive: true });
      for (const { path: inside, file } of sample.data) {
        const target = path.join(folder, inside);
        await mkdir(path.dirname(target), { recursive: true });
        // Whole or not at all: a pipeline may read it this very moment.
        const draft = `${target}.${process.pid}.part`;
        try {
          await copyFile(file, draft);
          await rename(draft, target);
        } finally {
          await rm(draft, { force: true });
        }
      }
      return root;
    },
  };
}
