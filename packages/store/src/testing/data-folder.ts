/** A data folder of a test, removed with its server at the end. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspectProcess } from '../postgres/processes.ts';

export interface DataFolder {
  readonly path: string;
  /** Ends a server that a killed host left behind, and removes everything. */
  remove(): Promise<void>;
}

export function dataFolder(base = os.tmpdir()): DataFolder {
  const folder = mkdtempSync(path.join(base, 'millrace-store-'));
  return {
    path: folder,
    async remove() {
      for (const cluster of [path.join(folder, 'postgres'), outsideCluster(folder)]) {
        if (!cluster) continue;
        await endServer(cluster);
        rmSync(cluster, { recursive: true, force: true });
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function outsideCluster(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, 'postgres.location'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

async function endServer(cluster: string): Promise<void> {
  let pid: number;
  try {
    pid = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return;
  }
  const found = inspectProcess(pid);
  if (found.kind !== 'alive' || !found.command.includes(cluster)) return;
  process.kill(pid, 'SIGQUIT');
  while (inspectProcess(pid).kind === 'alive') await new Promise((resolve) => setTimeout(resolve, 10));
}
