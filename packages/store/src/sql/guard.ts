/**
 * Keeps a second host out: session-level advisory locks on a connection of their own. They vanish with a killed
 * host, so nothing stale can be left behind. A lock lost with the connection is taken again after reconnecting;
 * if somebody else has it by then, the store is theirs and every call here ends with `taken-over`.
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { inspectProcess } from '../postgres/processes.ts';
import { endSession } from './connections.ts';
import { readSessionName, type Session } from './session.ts';

/** First half of our advisory lock keys ("MLRC"). */
const LOCK_CLASS = 0x4d4c5243;
const GRACE_MS = 3_000;

const TRY_LOCK = 'select pg_try_advisory_lock($1::int4, $2::int4) as taken';
const HOLDER = `
select a.pid, a.application_name as name
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'advisory' and l.granted and l.classid = $1::int8::oid and l.objid = $2::int8::oid and l.objsubid = 2
   and l.database = (select oid from pg_database where datname = current_database())
 limit 1`;

export interface GuardOptions {
  readonly open: () => Promise<Session>;
  readonly lost: (error: StoreError) => void;
}

export class Guard {
  private readonly options: GuardOptions;
  private readonly held = new Map<number, string>();
  private session: Session | undefined;
  private connecting: Promise<Session> | undefined;
  private regaining = false;
  private closed = false;
  private taking: Promise<void> = Promise.resolve();

  constructor(options: GuardOptions) {
    this.options = options;
  }

  /** `what` begins the message: "The data directory /x". */
  take(key: number, what: string): Promise<void> {
    // One after the other: a session runs one statement at a time.
    const taken = this.taking.then(() => this.takeNow(key, what));
    this.taking = taken.catch(() => undefined);
    return taken;
  }

  private async takeNow(key: number, what: string): Promise<void> {
    if (this.held.has(key)) return;
    const session = await this.connected();
    await this.lock(session, key, what);
    this.held.set(key, what);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.session?.client.end().catch(() => undefined);
  }

  private connected(): Promise<Session> {
    if (this.session && !this.session.broken) return Promise.resolve(this.session);
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async connect(): Promise<Session> {
    const old = this.session;
    const session = await this.options.open();
    // The server may not have noticed yet that the old connection is gone; it would still hold our locks.
    if (old) await endSession(session, old);
    this.session = session;
    session.client.once('end', () => void this.regain());
    return session;
  }

  private async lock(session: Session, key: number, what: string): Promise<void> {
    const deadline = Date.now() + GRACE_MS;
    for (;;) {
      const { rows } = await session.client.query<{ taken: boolean }>(TRY_LOCK, [LOCK_CLASS, key]);
      if (rows[0]?.taken) return;
      const holder = await session.client.query<{ pid: number; name: string }>(HOLDER, [LOCK_CLASS, key]);
      const found = holder.rows[0];
      if (found) {
        const owner = readSessionName(found.name);
        if (owner && owner.host === os.hostname() && isDead(owner.pid))
          await session.client.query('select pg_terminate_backend($1, 2000)', [found.pid]);
        else if (owner?.host === os.hostname() || Date.now() > deadline) throw inUse(what, found.name, owner);
      }
      await sleep(20);
    }
  }

  /** One at a time: two would take each other for a rival. */
  private async regain(): Promise<void> {
    if (this.regaining) return;
    this.regaining = true;
    try {
      let wait = 10;
      while (!this.closed && !(await this.regainOnce())) {
        await sleep(wait);
        wait = Math.min(wait * 2, 500);
      }
    } finally {
      this.regaining = false;
    }
  }

  private async regainOnce(): Promise<boolean> {
    try {
      const session = await this.connected();
      for (const [key, what] of this.held) await this.lock(session, key, what);
      return !session.broken;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code === 'start-failed') return false;
      if (error.code === 'in-use') this.options.lost(takenOver(error));
      if (error.code === 'taken-over') this.options.lost(error);
      return true;
    }
  }
}

type Owner = NonNullable<ReturnType<typeof readSessionName>>;

function isDead(pid: number): boolean {
  return inspectProcess(pid).kind !== 'alive';
}

function inUse(what: string, name: string, owner: Owner | undefined): StoreError {
  const by = owner
    ? `pid ${owner.pid}${owner.host === os.hostname() ? '' : ` on ${owner.host}`}`
    : `"${name}"`;
  return new StoreError('in-use', `${what} is in use by ${by}. Stop that process, or use another one.`, {
    domain: 'user',
  });
}

function takenOver(cause: StoreError): StoreError {
  return new StoreError(
    'taken-over',
    `Another host took over while the database was away. ${cause.message}`,
    { cause },
  );
}
