/**
 * One tap of one socket: asks the host for samples, filters them in the viewer's own sandbox, and hands them on at
 * the viewer's pace.
 *
 * Invariants
 *   TF1  at most one message to the client is on its way; what comes meanwhile waits in a bounded queue.
 *   TF2  the host is told "taken" only when the filter is done with a batch, so a slow filter slows nobody but
 *        itself: the host counts what finds no room.
 *   TF3  a filter that takes too long ends its tap, with the reason.
 */
import type { Filtered, RecordFilter } from '@millrace/deployment';
import type { EventPayload, TapRecordShown } from '@millrace/protocol/api';
import type { ControlTapBatch } from '@millrace/protocol/control';
import type { LiveSource } from './live-source.ts';
import { TapQueue } from './tap-queue.ts';

export interface TapFeedOptions {
  readonly tap: string;
  readonly pipeline: string;
  readonly streams: readonly string[];
  readonly recordsPerSecond: number;
  readonly filter: RecordFilter | undefined;
  readonly source: LiveSource;
  readonly send: (message: EventPayload<'tap.records'>, taken: () => void) => void;
  /** Once, when it is over by itself. */
  readonly ended: (code: string, detail: string) => void;
}

const PER_MESSAGE = 50;
const EVERY_MS = 100;
const CHARS_PER_SECOND = 512 * 1024;
/** A filter looks at more than it shows, within this. */
const LOOKED_AT_PER_SECOND = 1_000;

export class TapFeed {
  readonly #options: TapFeedOptions;
  readonly #queue = new TapQueue();
  #inFlight = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #started = false;
  #second = 0;
  #inSecond = 0;

  constructor(options: TapFeedOptions) {
    this.#options = options;
  }

  /** Asks the host, at first and whenever there is another host; a refusal is told. */
  async ask(): Promise<{ code: string; message: string } | undefined> {
    const { source, pipeline, tap, streams, recordsPerSecond, filter } = this.#options;
    const limits = {
      recordsPerSecond: filter === undefined ? recordsPerSecond : LOOKED_AT_PER_SECOND,
      charsPerSecond: CHARS_PER_SECOND,
    };
    const reply = await source.request('tap-open', { pipeline, tap, streams: [...streams], limits });
    if (reply.kind === 'away')
      return { code: 'host-away', message: 'The engine is being started again: try once more in a moment.' };
    return reply.kind === 'refused' ? reply : undefined;
  }

  /** From now on the client knows the tap by its id. */
  start(): void {
    this.#started = true;
    this.#consider();
  }

  async take(batches: readonly ControlTapBatch[], dropped: number): Promise<void> {
    this.#queue.count({ dropped, seen: batches.reduce((sum, { seen }) => sum + seen, 0) });
    try {
      for (const batch of batches) {
        const kept = await this.#keep(batch);
        if (this.#closed) return;
        this.#queue.add(this.#inPace(kept, batch.earlier));
      }
    } catch (error) {
      if (!this.#closed) this.#end('filter-ended', (error as Error).message);
      return;
    }
    this.#options.source.tapTaken(this.#options.tap);
    this.#consider();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#options.filter?.close();
    this.#options.source.request('tap-close', { tap: this.#options.tap }).catch(() => undefined);
  }

  #end(code: string, detail: string): void {
    this.close();
    this.#options.ended(code, detail);
  }

  async #keep({ stream, records, earlier }: ControlTapBatch): Promise<TapRecordShown[]> {
    const shown = records.map((record) => ({ ...record, stream, earlier }));
    const { filter } = this.#options;
    if (filter === undefined || shown.length === 0) return shown;
    // Half a text is no value: only whole records can be asked about.
    const whole = shown.filter(({ cut }) => !cut);
    const { kept, failed, error }: Filtered = await filter.keep(
      whole.map(({ text, key, timestamp, stream: id }) => ({ text, key, timestamp, stream: id })),
    );
    if (failed > 0 && failed === whole.length)
      throw new Error(`The filter fails on every record: ${error ?? 'no reason was given'}`);
    this.#queue.count({ filtered: shown.length - kept.length });
    return kept.map((at) => whole[at] as TapRecordShown);
  }

  /** What a filter keeps is shown at the pace that was asked for. */
  #inPace(records: readonly TapRecordShown[], earlier: boolean): readonly TapRecordShown[] {
    if (earlier) return records;
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    const passed = records.slice(0, Math.max(0, this.#options.recordsPerSecond - this.#inSecond));
    this.#inSecond += passed.length;
    this.#queue.count({ dropped: records.length - passed.length });
    return passed;
  }

  #consider(): void {
    if (!this.#started || this.#closed || this.#inFlight || this.#timer !== undefined || this.#queue.empty)
      return;
    const { tap, pipeline, send } = this.#options;
    this.#inFlight = true;
    send({ tap, pipeline, ...this.#queue.take(PER_MESSAGE) }, () => {
      // A moment, so that a quick reader gets messages worth their headers.
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#inFlight = false;
        this.#consider();
      }, EVERY_MS);
    });
  }
}
