/**
 * The operating system's walls around a worker, each one tried once: namespaces, another user without
 * privileges, death with its parent, resource limits. Deno's permission check is the wall that is always there.
 *
 * A chain of programs that replace each other (`exec`), so the process id is the worker's own.
 */
import { spawn } from 'node:child_process';

export interface Walls {
  /** Command line to put before the worker's. */
  wrap(worker: { readonly uid: number; readonly dataBytes: number }): string[];
  /** What this machine does not give, for the log. */
  readonly missing: readonly string[];
  /** False: the launcher has to watch the memory itself. */
  readonly limitsMemory: boolean;
}

const PROBE_UID = 61_000;
const OPEN_FILES = 64;
const TRUE = '/bin/true';

export async function detectWalls(): Promise<Walls> {
  if (process.platform !== 'linux')
    return {
      wrap: () => [],
      missing: ['namespaces', 'another user', 'resource limits'],
      limitsMemory: false,
    };
  const root = process.getuid?.() === 0;
  const [namespaces, privileges, limits] = await Promise.all([
    firstThatRuns(namespaceWalls(root)),
    firstThatRuns(privilegeWalls(root)),
    firstThatRuns([prlimit, shellLimit].map((make) => () => make(1 << 30))),
  ]);
  const limitMaker = limits === 0 ? prlimit : limits === 1 ? shellLimit : undefined;
  const missing: string[] = [];
  if (namespaces === undefined) missing.push('network and IPC namespaces (unshare)');
  if (privileges === undefined) missing.push('another user and death with the parent (setpriv)');
  if (!limitMaker) missing.push('resource limits (prlimit, ulimit)');
  return {
    missing,
    limitsMemory: limitMaker !== undefined,
    // Limits come first: they need no privilege, and the shell's way starts a shell that setpriv then replaces.
    wrap: ({ uid, dataBytes }) => [
      ...(namespaces === undefined ? [] : namespaceWalls(root)[namespaces]!(uid)),
      ...(limitMaker?.(dataBytes) ?? []),
      ...(privileges === undefined ? [] : privilegeWalls(root)[privileges]!(uid)),
    ],
  };
}

type Wall = (uid: number) => string[];

function namespaceWalls(root: boolean): Wall[] {
  const names = ['--net', '--ipc', '--'];
  return [() => (root ? ['unshare', ...names] : ['unshare', '--user', '--map-current-user', ...names])];
}

/** `--pdeathsig` last and after `unshare`: a change of credentials clears it. */
function privilegeWalls(root: boolean): Wall[] {
  const end = ['--no-new-privs', '--pdeathsig', 'KILL', '--'];
  if (!root) return [() => ['setpriv', ...end]];
  const user: Wall = (uid) => ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  return [
    (uid) => [...user(uid), '--inh-caps=-all', '--bounding-set=-all', ...end],
    (uid) => [...user(uid), '--inh-caps=-all', ...end],
  ];
}

function prlimit(dataBytes: number): string[] {
  return ['prlimit', `--data=${dataBytes}`, '--core=0', `--nofile=${OPEN_FILES}`, '--'];
}

function shellLimit(dataBytes: number): string[] {
  const kilobytes = Math.floor(dataBytes / 1024);
  return [
    '/bin/sh',
    '-c',
    `ulimit -d ${kilobytes} && ulimit -c 0 && ulimit -n ${OPEN_FILES} && exec "$@"`,
    'sh',
  ];
}

async function firstThatRuns(walls: readonly Wall[]): Promise<number | undefined> {
  for (let i = 0; i < walls.length; i++) if (await runs([...walls[i]!(PROBE_UID), TRUE])) return i;
  return undefined;
}

function runs([command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', cwd: '/', env: { PATH: SYSTEM_PATH } });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
