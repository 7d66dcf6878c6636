/**
 * The connections to one database. `run` waits while the database is away: it calls `revive`, backs off and
 * runs the attempt again. The attempt is told whether an earlier one ended with unknown outcome; by then the
 * server process of that earlier attempt is gone, so it can no longer take effect.
 *
 * Invariant C1: an attempt never runs while the session of a previous attempt of the same call may be alive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StoreError } from '../errors.ts';
import { classify } from './failures.ts';
import { openSession, type Session, type SessionIdentity } from './session.ts';

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 500;
const REPORT_AFTER_MS = 1_000;

export type Trouble =
  | { readonly kind: 'away'; readonly message: string }
  | { readonly kind: 'back'; readonly message: string }
  | { readonly kind: 'disk-full'; readonly message: string }
  | { readonly kind: 'taken-over'; readonly message: string };

export interface ConnectionsOptions {
  readonly config: () => Promise<pg.ClientConfig>;
  /** Every session belongs to this term of the server; the first that is refused ends all calls. */
  readonly term?: number | undefined;
  readonly max: number;
  readonly trouble: (trouble: Trouble) => void;
}

export type Attempt<T> = (session: Session, uncertain: boolean) => Promise<T>;

export class Connections {
  private readonly options: ConnectionsOptions;
  private readonly idle: Session[] = [];
  private readonly waiting: ((free: Session | undefined) => void)[] = [];
  private readonly inUse = new Set<Session>();
  private opening = 0;
  private failed: StoreError | undefined;
  private reported = false;

  constructor(options: ConnectionsOptions) {
    this.options = options;
  }

  async run<T>(attempt: Attempt<T>): Promise<T> {
    const doubtful: SessionIdentity[] = [];
    let wait = FIRST_WAIT_MS;
    const since = Date.now();
    let uncertain = false;
    for (;;) {
      let session: Session | undefined;
      try {
        session = await this.acquire();
        while (doubtful.length > 0) {
          await endSession(session, doubtful[0]!);
          doubtful.shift();
        }
        const result = await attempt(session, uncertain);
        this.reportBack();
        return result;
      } catch (error) {
        const failure = classify(error);
        if (this.failed) throw this.failed;
        if (failure === 'statement') throw error;
        if (session && failure === 'connection') {
          session.broken = true;
          uncertain = true;
          doubtful.push(session);
        }
        this.report(failure, error as Error, Date.now() - since);
      } finally {
        if (session) this.release(session);
      }
      await sleep(wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  /** Opens a session outside the pool; the caller closes it. */
  async open(): Promise<Session> {
    return openSession(await this.options.config(), this.options.term);
  }

  /** Every call waiting or made from here on ends with this error. */
  fail(error: StoreError): void {
    this.failed ??= error;
    for (const next of this.waiting.splice(0)) next(undefined);
  }

  private lose(error: StoreError): void {
    if (this.failed === undefined) this.options.trouble({ kind: 'taken-over', message: error.message });
    this.fail(error);
  }

  async close(): Promise<void> {
    this.fail(new StoreError('closed', 'The store is closed.'));
    const sessions = [...this.idle.splice(0), ...this.inUse];
    await Promise.all(sessions.map((session) => session.client.end().catch(() => undefined)));
  }

  private async acquire(): Promise<Session> {
    for (;;) {
      if (this.failed) throw this.failed;
      const free = this.idle.pop() ?? (this.full() ? await this.nextFree() : await this.add());
      if (!free) continue;
      if (free.broken) {
        discard(free);
        continue;
      }
      this.inUse.add(free);
      return free;
    }
  }

  private full(): boolean {
    return this.inUse.size + this.idle.length + this.opening >= this.options.max;
  }

  private nextFree(): Promise<Session | undefined> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private async add(): Promise<Session> {
    this.opening++;
    try {
      return await this.open();
    } catch (error) {
      if (error instanceof StoreError && error.code === 'taken-over') this.lose(error);
      // Somebody waiting for a free one would otherwise wait for a session that never comes.
      this.waiting.shift()?.(undefined);
      throw error;
    } finally {
      this.opening--;
    }
  }

  private release(session: Session): void {
    this.inUse.delete(session);
    if (session.broken || this.failed) discard(session);
    const next = this.waiting.shift();
    if (next) next(session.broken || this.failed ? undefined : session);
    else if (!session.broken && !this.failed) this.idle.push(session);
  }

  private report(failure: string, error: Error, lastedMs: number): void {
    if (failure === 'disk-full') {
      this.reported = true;
      this.options.trouble({
        kind: 'disk-full',
        message: `The database has no disk space left (${error.message}). Free some; work goes on by itself.`,
      });
    } else if (failure === 'connection' && lastedMs > REPORT_AFTER_MS && !this.reported) {
      this.reported = true;
      this.options.trouble({
        kind: 'away',
        message: `The database is away (${error.message}); waiting for it.`,
      });
    }
  }

  private reportBack(): void {
    if (!this.reported) return;
    this.reported = false;
    this.options.trouble({ kind: 'back', message: 'The database is back.' });
  }
}

/** A transaction: rolled back when `body` throws, and then the error is the body's. */
export async function transact<T>(session: Session, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const { client } = session;
  await client.query('begin');
  let result: T;
  try {
    result = await body(client);
  } catch (error) {
    await client.query('rollback').catch(() => {
      session.broken = true;
    });
    throw error;
  }
  await client.query('commit');
  return result;
}

/** C1: waits until that server process has ended (the start time guards against a reused pid). */
export async function endSession(session: Session, old: SessionIdentity): Promise<void> {
  await session.client.query(
    'select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz',
    [old.pid, old.startedAt],
  );
}

function discard(session: Session): void {
  session.client.end().catch(() => undefined);
}
