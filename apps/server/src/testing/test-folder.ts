/** A data folder of a test. The store closes its server itself; this removes what lies on the disk. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface TestFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export function testFolder(): TestFolder {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-server-'));
  return {
    path: folder,
    async remove() {
      const location = path.join(folder, 'postgres.location');
      if (existsSync(location))
        rmSync(readFileSync(location, 'utf8').trim(), { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
