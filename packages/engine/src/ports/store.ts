/**
 * The durable side of one pipeline. Implemented over Postgres by packages/store; tests implement it in memory.
 *
 * Every write names the sequencer of the lease it is made under and is refused inside the same transaction if
 * that lease has been claimed by somebody else since (P6). The check locks the lease row (`for share`) and
 * holds it to the end of the transaction, so that it serialises with a claim.
 *
 * While the database is away a call waits and retries; it returns only when the outcome is known. A commit
 * whose outcome is unknown is resolved by its primary key, never by a blind resend.
 */
import type { Redrivable } from '@millrace/protocol';

/** A bundle's whole effect as one opaque blob (architecture.md, "the commit is a log"). */
export interface SealedBundle {
  /** Place in the pipeline's log; given by the host, strictly increasing. */
  readonly position: number;
  readonly slot: number;
  readonly sequencer: number;
  /** 1, 2, 3, … within one (slot, sequencer). */
  readonly bundleNumber: number;
  readonly body: Uint8Array;
}

/** The slot under which the host itself appends to the log; its lease is the host's. */
export const HOST_SLOT = -1;

export type CommitOutcome = 'committed' | 'fenced';

export interface LoggedBundle {
  readonly position: number;
  readonly slot: number;
  readonly sequencer: number;
  readonly bundleNumber: number;
  readonly body: Uint8Array;
}

/** A page holds the entries of one space with `start <= entry key < start of the next page`, memcmp order. */
export interface PageKey {
  readonly space: number;
  readonly start: Uint8Array;
}

export interface PageRow extends PageKey {
  readonly body: Uint8Array;
}

export interface DeadLetterRow {
  /** Stable: the same failure recorded twice is one row. */
  readonly id: string;
  readonly node: string;
  /** Record, timer, or source range as JSON text the way it is shown to people. */
  readonly input: string;
  readonly error: string;
  readonly stack: string;
  readonly key: string | undefined;
  readonly timestamp: number | undefined;
  /** Where it came from: file and offset, stream, timer tag. */
  readonly origin: string;
  readonly state: string | undefined;
  readonly version: number;
  readonly attempts: number;
  /** Undefined: it cannot be delivered again. */
  readonly redrive?: Redrivable | undefined;
}

export interface NumberedLetter {
  /** Grows in the order of recording. */
  readonly number: number;
  readonly letter: DeadLetterRow;
}

/** Of a group, those with `above < number <= upTo`. */
export type LetterChoice =
  | { readonly numbers: readonly number[] }
  | { readonly group: string; readonly above: number; readonly upTo: number };

/** Letters that become deliveries: their rows go in the transaction that appends the bundle of the deliveries. */
export interface Redrive {
  readonly bundle: SealedBundle;
  readonly numbers: readonly number[];
}

/** `stale`: nothing was done, for some of the letters are gone. */
export type RedriveOutcome = CommitOutcome | 'stale';

/** Productions that were committed but not yet taken by their receiver when their log segment was released. */
export interface UndeliveredRow {
  readonly position: number;
  readonly ordinal: number;
  readonly body: Uint8Array;
}

/** One step of the folder, applied in one transaction under the host's lease. */
export interface FoldBatch {
  /** After this batch, every change of bundles up to and including this position is in the pages. */
  readonly through: number;
  readonly writes: readonly PageRow[];
  readonly deletes: readonly PageKey[];
  readonly deadLetters: readonly DeadLetterRow[];
  readonly undelivered: readonly UndeliveredRow[];
  readonly delivered: readonly Pick<UndeliveredRow, 'position' | 'ordinal'>[];
}

export interface StoredVersion {
  readonly number: number;
  readonly hash: string;
  /** The canonical folder form as JSON text. */
  readonly folder: string;
  /** `RunPlan` as JSON text. */
  readonly plan: string;
  /** The built code bundle (an ES module) with its inline source map. */
  readonly bundle: string;
  readonly sdkVersion: string;
}

export interface PipelineStore {
  /** Takes the pipeline for this host: a new sequencer; every older host and worker is fenced from here on. */
  claimHost(): Promise<number>;
  /** A new sequencer for a worker slot (0, 1, …), minted after the old one is invalid. */
  claimWorker(slot: number): Promise<number>;

  /** Appends bundles in one transaction. Bundles of a fenced lease are left out; the others are committed. */
  commit(bundles: readonly SealedBundle[]): Promise<readonly CommitOutcome[]>;
  /** Bundles with `position > after`, in order, in batches of bounded bytes. */
  bundlesAfter(after: number): AsyncIterable<readonly LoggedBundle[]>;
  /** Highest position ever given in this pipeline's log (0 when none), also counting released segments. */
  lastPosition(): Promise<number>;
  /** `through` of the last fold (0 when none). */
  foldedThrough(): Promise<number>;

  /** All page starts of all spaces, sorted by (space, start). */
  pageDirectory(): Promise<readonly PageKey[]>;
  readPages(space: number, starts: readonly Uint8Array[]): Promise<readonly PageRow[]>;
  fold(hostSequencer: number, batch: FoldBatch): Promise<CommitOutcome>;
  undelivered(): Promise<readonly UndeliveredRow[]>;
  /** Truncates log segments that hold nothing above `through`; starts a new segment when the current is full. */
  releaseLog(hostSequencer: number, through: number): Promise<void>;

  readonly versions: {
    current(): Promise<StoredVersion | undefined>;
    get(number: number): Promise<StoredVersion | undefined>;
    /** Stores an immutable version and returns its number; the same hash, plan and bundle give the same number. */
    save(version: Omit<StoredVersion, 'number'>): Promise<number>;
    activate(hostSequencer: number, number: number): Promise<CommitOutcome>;
  };

  deadLetters(limit: number): Promise<readonly DeadLetterRow[]>;
  /** Oldest first. */
  chosenLetters(choice: LetterChoice, limit: number): Promise<readonly NumberedLetter[]>;
  /** Number of the newest letter; 0 when there is none. */
  newestLetter(): Promise<number>;
  /** Under the host's lease, `bundle.slot` being `HOST_SLOT`. */
  redrive(redrive: Redrive): Promise<RedriveOutcome>;
  /** Removes everything stored for this pipeline except its versions (`--fresh`, `--drop-state` of all nodes). */
  reset(hostSequencer: number): Promise<void>;
}
