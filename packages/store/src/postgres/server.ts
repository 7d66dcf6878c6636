/**
 * The embedded server: started, adopted, watched and stopped.
 *
 * Owns: the process, `postgresql.conf`, `pg_hba.conf`. Does not own: connections, the lock that keeps a second
 * host out (an advisory lock inside the database, see sql/guard.ts).
 *
 * Invariants
 * - E1 The server has a process group of its own: Ctrl-C on the host does not reach it. A killed host leaves it
 *   running, and the next host adopts it.
 * - E2 A pid file is moved aside only when its process is proven not to be this cluster's server and no process
 *   works in the cluster's folder.
 * - E3 `ensureRunning` is a single flight: any number of callers that lost their connection cause one start.
 *
 * Not handled: Windows (no binary is looked for; the message names DATABASE_URL).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { type ClusterPlace, placeCluster } from './cluster-place.ts';
import { ensureCluster } from './initdb.ts';
import { type NativeTree, nativeTree } from './native-tree.ts';
import { judgePidFile, type PidFile, type Verdict } from './pid-file.ts';
import { inspectProcess, processesInside } from './processes.ts';
import { HBA_TEXT, settingsText } from './settings.ts';
import { chooseSocketFolder, socketFile } from './socket-folder.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const LOG_LIMIT_BYTES = 8 << 20;
/** Less than a segment of its log, which it makes as a whole. */
const FULL_BELOW_BYTES = 16 << 20;

export interface ServerAddress {
  readonly pid: number;
  readonly socketFolder: string;
  readonly port: number;
}

export class EmbeddedServer {
  readonly place: ClusterPlace;
  private readonly tree: NativeTree;
  private readonly log: (message: string) => void;
  private address: ServerAddress | undefined;
  private starting: Promise<ServerAddress> | undefined;
  private stopped = false;

  private constructor(place: ClusterPlace, tree: NativeTree, log: (message: string) => void) {
    this.place = place;
    this.tree = tree;
    this.log = log;
  }

  static async start(dataDir: string, log: (message: string) => void): Promise<EmbeddedServer> {
    const found = placeCluster(path.resolve(dataDir), log);
    const tree = nativeTree(found.account);
    await ensureCluster(found, tree);
    // The server reports its real folder; commands and pid files are compared with it.
    const place = { ...found, cluster: realpathSync(found.cluster) };
    const server = new EmbeddedServer(place, tree, log);
    await server.ensureRunning();
    return server;
  }

  get pid(): number | undefined {
    return this.address?.pid;
  }

  /** The address of a server that was alive a moment ago; starts or adopts one as needed (E3). */
  ensureRunning(): Promise<ServerAddress> {
    if (this.stopped) return Promise.reject(new StoreError('closed', 'The store is closed.'));
    if (this.address && inspectProcess(this.address.pid).kind === 'alive')
      return Promise.resolve(this.address);
    this.starting ??= this.bringUp().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Ends the server in order (fast shutdown: a checkpoint, so the next start has nothing to replay). */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.starting?.catch(() => undefined);
    const verdict = this.judge();
    if (verdict.kind === 'absent' || verdict.kind === 'misleading') return;
    const { pid } = verdict.file;
    signal(pid, 'SIGINT');
    if (await gone(pid, STOP_LIMIT_MS)) return;
    signal(pid, 'SIGQUIT');
    await gone(pid, STOP_LIMIT_MS);
  }

  private judge(): Verdict {
    return judgePidFile(
      readText(path.join(this.place.cluster, 'postmaster.pid')),
      this.place.cluster,
      inspectProcess,
    );
  }

  private async bringUp(): Promise<ServerAddress> {
    const deadline = Date.now() + START_LIMIT_MS;
    let failure = 'it did not become ready';
    while (Date.now() < deadline) {
      const verdict = this.judge();
      if (verdict.kind === 'running') {
        this.log(`Took over the Postgres server already running as pid ${verdict.file.pid}.`);
        return this.at(verdict.file);
      }
      if (verdict.kind === 'starting' || verdict.kind === 'leaving' || this.occupied()) {
        await sleep(20);
        continue;
      }
      this.clearWay(verdict);
      const outcome = await this.launch(deadline);
      if (typeof outcome !== 'string') return this.at(outcome);
      failure = outcome;
      if (!this.mayResolveItself(failure)) break;
      await sleep(100);
    }
    throw new StoreError(
      'start-failed',
      `Postgres could not be started on ${this.place.cluster}: ${failure}. ${this.remedy()}`,
    );
  }

  /** On a full disk the server cannot even write why it ended. */
  private remedy(): string {
    const { bavail, bsize } = statfsSync(this.place.cluster);
    return bavail * bsize < FULL_BELOW_BYTES
      ? 'The disk it lies on is full: free some space.'
      : `See ${this.place.logFile}.`;
  }

  private at(file: PidFile): ServerAddress {
    this.address = { pid: file.pid, socketFolder: file.socketFolder, port: file.port };
    return this.address;
  }

  /** Children of a killed postmaster are still leaving. */
  private occupied(): boolean {
    return processesInside(this.place.cluster).length > 0;
  }

  private clearWay(verdict: Verdict): void {
    if (verdict.kind === 'misleading') {
      this.log(`Moved a stale postmaster.pid aside: ${verdict.why}.`);
      renameSync(
        path.join(this.place.cluster, 'postmaster.pid'),
        path.join(this.place.cluster, 'postmaster.pid.stale'),
      );
    }
    this.clearSocket();
  }

  /** The socket's lock file may name a pid that is in use again; one that a rival has just made is left alone. */
  private clearSocket(): void {
    const socket = socketFile(chooseSocketFolder(this.place));
    const lock = judgePidFile(readText(`${socket}.lock`), this.place.cluster, inspectProcess);
    if (lock.kind !== 'misleading') return;
    rmSync(socket, { force: true });
    rmSync(`${socket}.lock`, { force: true });
  }

  private async launch(deadline: number): Promise<PidFile | string> {
    const { cluster, account } = this.place;
    this.writeSettings();
    const output = this.openLog();
    const from = statSync(this.place.logFile).size;
    const child = spawn(this.tree.postgres, ['-D', cluster], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    closeSync(output);
    const ended = endOf(child);
    child.unref();
    for (;;) {
      const verdict = this.judge();
      if (verdict.kind === 'running' && verdict.file.pid === child.pid) {
        void ended.then(() => this.onServerEnd());
        return verdict.file;
      }
      if (Date.now() > deadline) return `not ready after ${START_LIMIT_MS / 1000} s`;
      const end = await Promise.race([ended, sleep(5)]);
      if (typeof end === 'string') return `${end}. ${tail(this.place.logFile, from)}`;
    }
  }

  private onServerEnd(): void {
    if (this.stopped) return;
    this.log('The Postgres server ended; starting it again.');
    this.ensureRunning().catch((error: Error) => this.log(error.message));
  }

  private writeSettings(): void {
    this.writeOwned('postgresql.conf', settingsText(chooseSocketFolder(this.place)));
    this.writeOwned('pg_hba.conf', HBA_TEXT);
    this.writeOwned('postgresql.auto.conf', '');
  }

  private writeOwned(name: string, text: string): void {
    const file = path.join(this.place.cluster, name);
    if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }

  private openLog(): number {
    const { logFile } = this.place;
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
    return openSync(logFile, 'a', 0o600);
  }

  /** Another starter won the race, or children of the last server are still attached to its shared memory. */
  private mayResolveItself(failure: string): boolean {
    return /lock file|shared memory block|is another postmaster/i.test(failure);
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signalName) => resolve(`it ended with ${code ?? signalName}`));
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

async function gone(pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (inspectProcess(pid).kind !== 'alive') return true;
    await sleep(10);
  }
  return false;
}

function tail(file: string, from: number): string {
  return readFileSync(file).subarray(from).toString('utf8').trim().slice(-1500);
}
