import type { Pane } from '../api.ts';

/**
 * What made a record: an input record or the firing of a timer. Ids are derived from it, and only when
 * somebody asks (P4): most records never leave their bundle and never get one.
 */
export interface Cause {
  readonly id: string;
}

/** Makes the id of the `ordinal`-th production of `computation` in the call caused by `causeId`. */
export type DeriveId = (causeId: string, computation: string, ordinal: number) => string;

/**
 * The record or firing that made it; undefined where the id was made already, or came with the record. A function and
 * no property: user code holds these objects and is to see one record only.
 */
export let causeOf: (record: DeliveredRecord) => Cause | undefined;

/** A record as one consumer sees it. One object per hop; `value` is frozen. */
export class DeliveredRecord {
  static {
    causeOf = (record) => record.#cause;
  }

  late = false;
  #isSuspect = false;
  #id: string | undefined;
  #cause: Cause | undefined;

  readonly key: string;
  readonly value: unknown;
  readonly timestamp: number;
  readonly stream: string;
  readonly pane: Pane | undefined;
  /** Sender's output watermark in front of this record, where the hand-over was inside the bundle. */
  readonly watermarkBefore: number | undefined;
  readonly producer: Producer | undefined;
  readonly ordinal: number;

  constructor(
    key: string,
    value: unknown,
    timestamp: number,
    stream: string,
    pane: Pane | undefined,
    watermarkBefore: number | undefined,
    origin: Cause | string,
    producer: Producer | undefined,
    ordinal: number,
  ) {
    this.key = key;
    this.value = value;
    this.timestamp = timestamp;
    this.stream = stream;
    this.pane = pane;
    this.watermarkBefore = watermarkBefore;
    if (typeof origin === 'string') this.#id = origin;
    else this.#cause = origin;
    this.producer = producer;
    this.ordinal = ordinal;
  }

  /** The call of an input that was held made it (P8). Not a property of its own: handlers see the record. */
  get suspect(): boolean {
    return this.#isSuspect;
  }

  set suspect(suspect: boolean) {
    this.#isSuspect = suspect;
  }

  get id(): string {
    if (this.#id === undefined) {
      const producer = this.producer as Producer;
      this.#id = producer.deriveId((this.#cause as Cause).id, producer.computation, this.ordinal);
      this.#cause = undefined;
    }
    return this.#id;
  }
}

// Handlers reach it through what they are given; one call must not change what the next one finds.
Object.freeze(DeliveredRecord);
Object.freeze(DeliveredRecord.prototype);

/**
 * Where a record on time holds watermarks while it waits (W1): at its own time. A row of a table that is read as a whole
 * does so from when it stands for the table, which is before it was read: whoever is asked for a time since then must not
 * answer without it (TR2). Such a row is in the middle of its pane, all others are at the end of theirs.
 */
export function holdOf({ timestamp, pane }: Pick<DeliveredRecord, 'timestamp' | 'pane'>): number {
  if (pane === undefined || timestamp >= pane.end - 1 || timestamp <= pane.start) return timestamp;
  return Math.max(pane.start, EARLIEST_DATE_MS);
}

/** What has always stood holds at a time that can be shown. */
const EARLIEST_DATE_MS = -8_640_000_000_000_000;

/** Whoever makes records with derived ids. */
export interface Producer {
  readonly computation: string;
  readonly deriveId: DeriveId;
}
