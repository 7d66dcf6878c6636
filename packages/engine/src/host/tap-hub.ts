/**
 * Who watches which streams of a running pipeline, and what the workers are asked to copy for them.
 *
 * Owns: open taps; per stream the latest samples, so that a tap begins with what went by before it was opened.
 * Does not own: the frames' form (`tap-records`), when samples count as committed (`pipeline-host`).
 *
 * Invariants
 *   TH1  a worker is asked for the largest of the limits of a stream's taps, never for more than `TAP_BOUNDS`.
 *   TH2  samples of a stream nobody watches are thrown away; a worker sends as it likes.
 *   TH3  a tap passes no more than its own limits, however many workers send; what it leaves out is counted.
 *   TH4  what is kept of the past is bounded per stream and per pipeline.
 */
import {
  type SampledRecord,
  TAP_BOUNDS,
  type TapLimits,
  type TapRecord,
  type TapSample,
} from '@millrace/protocol';
import { type KeptRecord, RecentRecords } from './recent-records.ts';

export interface TapBatch {
  /** Plan index, and id. */
  readonly stream: number;
  readonly streamId: string;
  /** Records that went by since the last batch of this stream, shown or not. */
  readonly seen: number;
  readonly records: readonly TapRecord[];
  /** These went by before the tap was opened; they are in no `seen`. */
  readonly earlier: boolean;
}

export interface OpenTap {
  close(): void;
}

export type SetTap = (stream: number, limits: TapLimits) => void;

interface Tap {
  readonly streams: ReadonlySet<number>;
  readonly limits: TapLimits;
  readonly pass: (batch: TapBatch) => void;
  second: number;
  records: number;
  chars: number;
}

export interface TapHubOptions {
  /** Their ids, by plan index. */
  readonly streams: readonly string[];
  /** Asks all workers. */
  readonly set: SetTap;
  readonly now: () => number;
  /** What is copied of every stream all the time; undefined: nothing. */
  readonly always: TapLimits | undefined;
}

const CLOSED: TapLimits = { recordsPerSecond: 0, charsPerSecond: 0 };

export class TapHub {
  readonly #options: TapHubOptions;
  readonly #taps = new Set<Tap>();
  readonly #asked: TapLimits[];
  readonly #recent: RecentRecords;

  constructor(options: TapHubOptions) {
    this.#options = options;
    this.#asked = options.streams.map(() => options.always ?? CLOSED);
    this.#recent = new RecentRecords(options.streams.length);
  }

  open(streams: readonly number[], limits: TapLimits, pass: (batch: TapBatch) => void): OpenTap {
    const tap: Tap = {
      streams: new Set(streams.filter((stream) => stream >= 0 && stream < this.#options.streams.length)),
      limits: bounded(limits),
      pass,
      second: 0,
      records: 0,
      chars: 0,
    };
    this.#taps.add(tap);
    for (const stream of tap.streams) {
      const records = this.#recent.of(stream);
      if (records.length > 0)
        pass({
          ...this.#named(stream),
          seen: 0,
          records: records.map(({ at: _, ...record }) => bare(record)),
          earlier: true,
        });
      this.#ask(stream);
    }
    return {
      close: () => {
        this.#taps.delete(tap);
        for (const stream of tap.streams) this.#ask(stream);
      },
    };
  }

  /** Tells a worker that has just started what it is to copy. */
  prime(set: SetTap): void {
    this.#asked.forEach((limits, stream) => {
      if (limits.recordsPerSecond > 0) set(stream, limits);
    });
  }

  /** Samples of a bundle that is committed. */
  take(samples: readonly TapSample[]): void {
    for (const { stream, seen, records } of samples) {
      if (!this.#isAsked(stream)) continue;
      if (this.#options.always !== undefined) this.#recent.add(stream, records, this.#options.now());
      for (const tap of this.#taps)
        if (tap.streams.has(stream))
          tap.pass({ ...this.#named(stream), seen, records: this.#admit(tap, records), earlier: false });
    }
  }

  /** The latest samples of a stream, oldest first. */
  readonly kept = (stream: number): readonly KeptRecord[] => this.#recent.of(stream);

  #named(stream: number): Pick<TapBatch, 'stream' | 'streamId'> {
    return { stream, streamId: this.#options.streams[stream] as string };
  }

  #isAsked(stream: number): boolean {
    return (this.#asked[stream]?.recordsPerSecond ?? 0) > 0;
  }

  #admit(tap: Tap, records: readonly SampledRecord[]): readonly TapRecord[] {
    const second = Math.floor(this.#options.now() / 1000);
    if (second !== tap.second) {
      tap.second = second;
      tap.records = 0;
      tap.chars = 0;
    }
    let count = 0;
    while (
      count < records.length &&
      tap.records < tap.limits.recordsPerSecond &&
      tap.chars < tap.limits.charsPerSecond
    ) {
      tap.records++;
      tap.chars += (records[count] as TapRecord).text.length;
      count++;
    }
    return records.slice(0, count).map(bare);
  }

  #ask(stream: number): void {
    const wanted = [...this.#taps].filter((tap) => tap.streams.has(stream)).map(({ limits }) => limits);
    if (this.#options.always !== undefined) wanted.push(this.#options.always);
    const limits: TapLimits = {
      recordsPerSecond: Math.max(0, ...wanted.map((w) => w.recordsPerSecond)),
      charsPerSecond: Math.max(0, ...wanted.map((w) => w.charsPerSecond)),
    };
    const asked = this.#asked[stream] as TapLimits;
    if (asked.recordsPerSecond === limits.recordsPerSecond && asked.charsPerSecond === limits.charsPerSecond)
      return;
    this.#asked[stream] = limits;
    this.#options.set(stream, limits);
  }
}

function bounded({ recordsPerSecond, charsPerSecond }: TapLimits): TapLimits {
  return {
    recordsPerSecond: Math.max(1, Math.min(TAP_BOUNDS.recordsPerSecond, Math.floor(recordsPerSecond))),
    charsPerSecond: Math.max(1, Math.min(TAP_BOUNDS.charsPerSecond, Math.floor(charsPerSecond))),
  };
}

/** Without what a trace is made of. */
const bare = ({ way: _, timer: __, ...record }: SampledRecord): TapRecord => record;
