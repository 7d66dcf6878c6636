/**
 * Reads `postmaster.pid` and decides what it means. A pure decision from facts; server.ts acts on it.
 *
 * - `running`: a live server of this very cluster; it is adopted.
 * - `leaving`: it is ours and shutting down; wait for it.
 * - `absent`: no file, or its process is gone: Postgres clears such a file itself, after checking shared memory.
 * - `misleading`: the file names a process that is not a server of this cluster, or one that is dead and not yet
 *   collected. Postgres would refuse to start, so the file has to be moved aside.
 */
import type { Liveness } from './processes.ts';

export interface PidFile {
  readonly pid: number;
  readonly cluster: string;
  readonly port: number;
  readonly socketFolder: string;
  readonly status: string;
}

export type Verdict =
  | { readonly kind: 'absent' }
  | { readonly kind: 'misleading'; readonly why: string }
  | { readonly kind: 'starting'; readonly file: PidFile }
  | { readonly kind: 'running'; readonly file: PidFile }
  | { readonly kind: 'leaving'; readonly file: PidFile };

/** Lines: pid, data folder, start time, port, socket folder, listen address, shared memory key, status. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  // A stand-alone backend (recovery by hand) writes its pid negated.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return {
    pid,
    cluster: lines[1] ?? '',
    port: Number(lines[3] ?? 0),
    socketFolder: lines[4] ?? '',
    status: lines[7] ?? '',
  };
}

export function judgePidFile(
  text: string | undefined,
  cluster: string,
  inspect: (pid: number) => Liveness,
): Verdict {
  if (text === undefined) return { kind: 'absent' };
  const file = parsePidFile(text);
  if (!file) return { kind: 'misleading', why: 'it holds no process id' };
  const found = inspect(file.pid);
  switch (found.kind) {
    case 'gone':
      return { kind: 'absent' };
    case 'defunct':
      return { kind: 'misleading', why: `process ${file.pid} is dead but not yet collected by its parent` };
    case 'alive':
      if (!isServerOf(found.command, cluster))
        return { kind: 'misleading', why: `process ${file.pid} is "${found.command.slice(0, 80)}"` };
      if (file.status === 'ready') return { kind: 'running', file };
      return { kind: file.status === 'stopping' ? 'leaving' : 'starting', file };
  }
}

/** Our launcher always starts the server as `…/postgres -D <cluster>`. */
function isServerOf(command: string, cluster: string): boolean {
  return (
    /(^|\/)postgres(\s|$)/.test(command.split(' -')[0] ?? '') && ` ${command} `.includes(` -D ${cluster} `)
  );
}
