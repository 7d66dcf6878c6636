/**
 * A server's place among those that share a database: it sees who leads, claims the lease, and shows that it is
 * alive. Decides nothing: when to claim is said by who holds the seat.
 *
 * Owns: a session of its own, so that a busy pool keeps no beat from coming, and its row in `servers`.
 * Invariants
 *   SL1  a claim names the sequencer and the beat it saw: whoever beats in between, or claims first, keeps the lease.
 *   SL2  a claim is over when no session of an older term is left (ST1): only then is anything read under the new one.
 *   SL3  no call waits for a database that is away; it fails, and the next one opens a session again.
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../migrations/migrate.ts';
import {
  BEAT,
  CLAIM_LEASE,
  END_OLDER_TERMS,
  FORGET_SERVERS,
  GIVE_LEASE_BACK,
  JOIN_SERVERS,
  LIST_SERVERS,
  LOOK_AT_LEASE,
} from '../queries/server-lease.ts';
import type { Sql } from '../sql/database.ts';
import { refuseOther, unusable } from '../sql/database-url.ts';
import { openSession, type Session } from '../sql/session.ts';

export interface LeaseLook {
  readonly sequencer: number;
  readonly beat: number;
  /** Undefined: given back, or never held. `isHere`: its session is. */
  readonly leader:
    | { readonly address: string; readonly isHere: boolean; readonly isThis: boolean }
    | undefined;
}

export interface ServerEntry {
  readonly address: string;
  readonly leads: boolean;
  /** Wall time in ms: since when it leads, else since when it is there. */
  readonly since: number;
}

export interface ServerSeat {
  look(): Promise<LeaseLook>;
  /** The new term; undefined: somebody was quicker, or the leader is alive. */
  claim(seen: Pick<LeaseLook, 'sequencer' | 'beat'>): Promise<number | undefined>;
  /** SL2. Whoever could not end all of them tries again. */
  endOlderTerms(term: number): Promise<void>;
  /** False: somebody else leads. */
  beat(term: number): Promise<boolean>;
  giveBack(term: number): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any statement takes here; a line that is dead is noticed by it. */
const ANSWER_MS = 3_000;
/** A beat does not wait for the disk: one that is lost with the database has done no harm. */
const NO_WAIT = 'set synchronous_commit = off';

/** Brings the database up to date first. `address`: under which people reach this server. */
export async function takeSeat(url: string, address: string): Promise<ServerSeat> {
  refuseOther(url);
  try {
    const session = await openSession({ connectionString: url });
    await migrate(session.client).finally(() => session.client.end());
  } catch (error) {
    throw unusable(error);
  }
  return new Seat(url, address);
}

export async function listServers(database: Sql): Promise<ServerEntry[]> {
  const rows = await database.rows<{ address: string; started_at: Date; leads: boolean | null; since: Date }>(
    LIST_SERVERS,
  );
  return rows.map(({ address, started_at, leads, since }) => ({
    address,
    leads: leads === true,
    since: (leads ? since : started_at).getTime(),
  }));
}

interface LookRow {
  sequencer: number;
  beat: number;
  number: number | null;
  address: string | null;
  here: boolean;
}

class Seat implements ServerSeat {
  readonly #url: string;
  readonly #address: string;
  #seated: Seated | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(url: string, address: string) {
    this.#url = url;
    this.#address = address;
  }

  look(): Promise<LeaseLook> {
    return this.#run(async ({ session: { client }, number: own }) => {
      const { rows } = await client.query<LookRow>(LOOK_AT_LEASE);
      const { sequencer, beat, number, address, here } = rows[0]!;
      const isHeld = number !== null && address !== null;
      return {
        sequencer,
        beat,
        leader: isHeld ? { address, isHere: here, isThis: number === own } : undefined,
      };
    });
  }

  claim({ sequencer, beat }: Pick<LeaseLook, 'sequencer' | 'beat'>): Promise<number | undefined> {
    return this.#run(async ({ session: { client }, number }) => {
      const { rows } = await client.query<{ sequencer: number }>(CLAIM_LEASE, [number, sequencer, beat]);
      return rows[0]?.sequencer;
    });
  }

  async endOlderTerms(term: number): Promise<void> {
    const deadline = performance.now() + ENDED_MS;
    for (;;) {
      const left = await this.#run(async ({ session: { client } }) => client.query(END_OLDER_TERMS, [term]));
      if (left.rowCount === 0) return;
      if (performance.now() > deadline)
        throw new Error(`${left.rowCount} sessions of the server that led before do not end`);
      await sleep(10);
    }
  }

  beat(term: number): Promise<boolean> {
    return this.#run(async ({ session: { client }, number }) => {
      return (await client.query(BEAT, [term, number])).rowCount === 1;
    });
  }

  async giveBack(term: number): Promise<void> {
    await this.#run(({ session: { client } }) => client.query(GIVE_LEASE_BACK, [term]));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#seated?.session.client.end().catch(() => undefined);
  }

  /** SL3. One after the other: a session runs one statement at a time. */
  #run<T>(work: (seated: Seated) => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      const seated = await this.#sit();
      try {
        return await work(seated);
      } catch (error) {
        seated.session.broken = true;
        throw error;
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** A row in `servers` names its session, so a new session makes a new one. */
  async #sit(): Promise<Seated> {
    if (this.#closed) throw new Error('the seat is closed');
    if (this.#seated !== undefined && !this.#seated.session.broken) return this.#seated;
    this.#seated?.session.client.end().catch(() => undefined);
    this.#seated = undefined;
    const session = await openSession({ connectionString: this.#url, query_timeout: ANSWER_MS });
    try {
      const { client } = session;
      await client.query(NO_WAIT);
      const values = [this.#address, os.hostname(), process.pid];
      const { rows } = await client.query<{ number: number }>(JOIN_SERVERS, values);
      await client.query(FORGET_SERVERS);
      this.#seated = { session, number: rows[0]!.number };
      return this.#seated;
    } catch (error) {
      await session.client.end().catch(() => undefined);
      throw error;
    }
  }
}

interface Seated {
  readonly session: Session;
  /** Of its row. */
  readonly number: number;
}

/** A session that is told to end does so within milliseconds, unless its machine hangs. */
const ENDED_MS = 5_000;
