/**
 * Copies of some records of watched streams (editor.md "Records"): taken where a record leaves its sender, as
 * text, and handed to the host with the bundle that sends it.
 *
 * Invariants
 *   TP1  a record's way is the same whether it is watched or not; a stream nobody watches costs one comparison.
 *   TP2  what is copied in a second is bounded, in records and in text; the rest is only counted.
 *   TP3  samples are spread over a bundle: each takes its turn after as many records as the last bundle suggests.
 */
import { TAP_BOUNDS, type TapLimits, type TapRecord, type TapSample } from '@millrace/protocol';
import { cappedJson } from './capped-json.ts';
import type { Outgoing } from './router.ts';

/** A record too long to be shown whole may have cost far more than its text to walk. */
const CUT_COSTS = 8;

export class Taps {
  readonly #taps: (StreamTap | undefined)[];
  /** Whether any stream is watched. */
  active = false;
  #room: { records: number; chars: number } = { records: TAP_BOUNDS.records, chars: 0 };

  constructor(streams: number) {
    this.#taps = new Array<StreamTap | undefined>(streams).fill(undefined);
  }

  /** Opens, changes or closes the tap of a stream. */
  set(stream: number, limits: TapLimits): void {
    if (stream >= this.#taps.length) return;
    const tap = limits.recordsPerSecond > 0 ? (this.#taps[stream] ?? new StreamTap()) : undefined;
    if (tap !== undefined) tap.limits = limits;
    this.#taps[stream] = tap;
    this.active = this.#taps.some((open) => open !== undefined);
  }

  /** A bundle begins. */
  begin(now: number): void {
    if (!this.active) return;
    this.#room = { records: TAP_BOUNDS.records, chars: TAP_BOUNDS.chars - TAP_BOUNDS.text };
    for (const tap of this.#taps) tap?.begin(now);
  }

  /** A record leaves for the consumer of a stream, which knows it by `key`. */
  see(stream: number, out: Outgoing, key: string): void {
    const tap = this.#taps[stream];
    if (tap === undefined || !tap.wants()) return;
    if (this.#room.records <= 0 || this.#room.chars <= 0) return;
    this.#room.records--;
    this.#room.chars -= tap.copy(out, key);
  }

  /** The samples of the bundle that ends. */
  take(): TapSample[] {
    return this.#taps.flatMap((tap, stream) => tap?.take(stream) ?? []);
  }
}

class StreamTap {
  limits: TapLimits = { recordsPerSecond: 0, charsPerSecond: 0 };
  #filledAt: number | undefined;
  #records = 0;
  #chars = 0;
  #stride = 1;
  #untilNext = 1;
  #seen = 0;
  #samples: TapRecord[] = [];

  begin(now: number): void {
    const { recordsPerSecond, charsPerSecond } = this.limits;
    const seconds = this.#filledAt === undefined ? 1 : Math.min(1, Math.max(0, now - this.#filledAt) / 1000);
    this.#filledAt = now;
    this.#records = Math.min(recordsPerSecond, this.#records + seconds * recordsPerSecond);
    this.#chars = Math.min(charsPerSecond, this.#chars + seconds * charsPerSecond);
  }

  wants(): boolean {
    this.#seen++;
    if (--this.#untilNext > 0) return false;
    if (this.#records < 1 || this.#chars <= 0) return false;
    this.#untilNext = this.#stride;
    return true;
  }

  /** Returns the text's length. */
  copy(out: Outgoing, key: string): number {
    const { text, cut } = cappedJson(out.value, TAP_BOUNDS.text);
    this.#records--;
    this.#chars -= cut ? CUT_COSTS * text.length : text.length;
    this.#samples.push({
      key: key.slice(0, TAP_BOUNDS.key),
      timestamp: out.timestamp,
      id: idOf(out).slice(0, TAP_BOUNDS.id),
      pane: out.pane,
      text,
      cut,
    });
    return text.length;
  }

  take(stream: number): TapSample[] {
    if (this.#seen === 0) return [];
    const sample = { stream, seen: this.#seen, records: this.#samples };
    this.#stride = Math.max(1, Math.floor(this.#seen / Math.max(1, this.#records + this.#samples.length)));
    this.#seen = 0;
    this.#samples = [];
    return [sample];
  }
}

function idOf({ origin, producer, ordinal }: Outgoing): string {
  return typeof origin === 'string' ? origin : producer.deriveId(origin.id, producer.computation, ordinal);
}
