/** CP5: of one tap at most one message is on its way; what comes meanwhile waits, bounded, the newest stay. */
import type { ControlTapBatch } from '@millrace/protocol/control';

export interface TapMessage {
  readonly batches: readonly ControlTapBatch[];
  readonly dropped: number;
}

const MOST_RECORDS = 1_000;
const MOST_CHARS = 2 * 1024 * 1024;

export class TapOutbox {
  readonly #send: (message: TapMessage) => void;
  #waiting: ControlTapBatch[] = [];
  #records = 0;
  #chars = 0;
  #dropped = 0;
  #onItsWay = false;

  constructor(send: (message: TapMessage) => void) {
    this.#send = send;
  }

  put(batch: ControlTapBatch): void {
    const { records, ...counts } = batch;
    const last = this.#waiting.at(-1);
    // A stream that only goes by must not make a message for every bundle.
    if (records.length === 0 && last?.stream === batch.stream && last.earlier === batch.earlier)
      this.#waiting[this.#waiting.length - 1] = { ...last, seen: last.seen + counts.seen };
    else this.#waiting.push(batch);
    this.#records += records.length;
    this.#chars += charsOf(batch);
    this.#makeRoom();
    this.#consider();
  }

  taken(): void {
    this.#onItsWay = false;
    this.#consider();
  }

  #consider(): void {
    if (this.#onItsWay || this.#waiting.length === 0) return;
    const message = { batches: this.#waiting, dropped: this.#dropped };
    this.#waiting = [];
    this.#records = 0;
    this.#chars = 0;
    this.#dropped = 0;
    this.#onItsWay = true;
    this.#send(message);
  }

  /** The oldest go; what was seen of their streams is still told. */
  #makeRoom(): void {
    for (let i = 0; i < this.#waiting.length && this.#isFull; i++) {
      const batch = this.#waiting[i] as ControlTapBatch;
      this.#records -= batch.records.length;
      this.#chars -= charsOf(batch);
      this.#dropped += batch.records.length;
      this.#waiting[i] = { ...batch, records: [] };
    }
    if (this.#waiting.length > MOST_RECORDS) this.#waiting = merged(this.#waiting);
  }

  get #isFull(): boolean {
    return this.#records > MOST_RECORDS || this.#chars > MOST_CHARS;
  }
}

/** Batches without records of one stream become one. */
function merged(batches: readonly ControlTapBatch[]): ControlTapBatch[] {
  const empty = new Map<string, ControlTapBatch>();
  for (const batch of batches)
    if (batch.records.length === 0)
      empty.set(batch.stream, {
        ...batch,
        earlier: false,
        seen: batch.seen + (empty.get(batch.stream)?.seen ?? 0),
      });
  return [...empty.values(), ...batches.filter(({ records }) => records.length > 0)];
}

const charsOf = ({ records }: ControlTapBatch): number =>
  records.reduce((sum, { text, key, id }) => sum + text.length + key.length + id.length, 0);
