/**
 * Copies of some records of watched streams (editor.md "Records"): taken where a record leaves its sender, as
 * text, and handed to the host with the bundle that sends it.
 *
 * The router counts what it sends anyway; `next` says at which count the next copy is due, and is beyond every count
 * where none is. So a record that is not copied costs one comparison, watched or not (a call for each would take a
 * tenth of B1's rate).
 *
 * Invariants
 *   TP1  a record's way is the same whether it is watched or not.
 *   TP2  what is copied in a second is bounded, in records and in text; the rest is only counted.
 *   TP4  with a copy goes what it was made of, within the same bounds: without it a trace would hardly ever find both.
 *   TP3  samples are spread over a bundle: each takes its turn after as many records as the last bundle suggests.
 */
import {
  type SampledRecord,
  TAP_BOUNDS,
  type TapAncestor,
  type TapLimits,
  type TapRecord,
  type TapSample,
  type TapTimer,
} from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';
import { cappedJson } from './capped-json.ts';
import type { Outgoing } from './router.ts';
import type { SampleWay, SampleWays } from './sample-ways.ts';

/** A record too long to be shown whole may have cost far more than its text to walk. */
const CUT_COSTS = 8;
const NEVER = Number.POSITIVE_INFINITY;
/** How often it is told that records went by of which none was copied. */
const TELL_MS = 100;

export class Taps {
  /** By stream: the count of records sent at which one is to be copied. */
  readonly next: Float64Array;
  /** Whether any stream is watched. */
  active = false;
  readonly #produced: Float64Array;
  readonly #taps: (StreamTap | undefined)[];
  readonly #wayOf: SampleWays;
  #room: Room = { records: 0, chars: 0 };

  /** `produced`: records sent so far, by stream, as the router counts them. */
  constructor(produced: Float64Array, wayOf: SampleWays) {
    this.#produced = produced;
    this.#wayOf = wayOf;
    this.next = new Float64Array(produced.length).fill(NEVER);
    this.#taps = new Array<StreamTap | undefined>(produced.length).fill(undefined);
  }

  /** Opens, changes or closes the tap of a stream; from the next bundle on. */
  set(stream: number, limits: TapLimits): void {
    const produced = this.#produced[stream];
    if (produced === undefined) return;
    const wanted = limits.recordsPerSecond > 0;
    const tap = wanted ? (this.#taps[stream] ?? new StreamTap(produced)) : undefined;
    if (tap !== undefined) tap.limits = limits;
    this.#taps[stream] = tap;
    this.next[stream] = NEVER;
    this.active = this.#taps.some((open) => open !== undefined);
  }

  /** A bundle begins. */
  begin(now: number): void {
    if (!this.active) return;
    this.#room = { records: TAP_BOUNDS.records, chars: TAP_BOUNDS.chars - TAP_BOUNDS.text };
    this.#taps.forEach((tap, stream) => {
      if (tap === undefined) return;
      tap.refill(now);
      this.next[stream] = tap.due(this.#produced[stream] as number);
    });
  }

  /** The count of a stream has reached `next`: this record is copied, which its consumer knows by `key`. */
  copy(stream: number, out: Outgoing, key: string): void {
    const tap = this.#taps[stream];
    const produced = this.#produced[stream] as number;
    if (tap === undefined || this.#room.records <= 0 || this.#room.chars <= 0) {
      this.next[stream] = NEVER;
      return;
    }
    // In front of the copy, which makes the id.
    const way = this.#wayOf(stream, out.origin);
    tap.copy({ out, key, count: produced, way, room: this.#room });
    this.next[stream] = tap.due(produced + 1);
  }

  /** The samples of the bundle that ends; a busy stream without any is told of now and then. */
  take(): TapSample[] {
    const samples: TapSample[] = [];
    this.#taps.forEach((tap, stream) => {
      const sample = tap?.take(stream, this.#produced[stream] as number);
      if (sample !== undefined) samples.push(sample);
    });
    return samples;
  }
}

/** What the frame of this bundle still takes. */
interface Room {
  records: number;
  chars: number;
}

interface Copied {
  readonly out: Outgoing;
  readonly key: string;
  readonly count: number;
  readonly way: SampleWay;
  readonly room: Room;
}

class StreamTap {
  limits: TapLimits = { recordsPerSecond: 0, charsPerSecond: 0 };
  #filledAt: number | undefined;
  #records = 0;
  #chars = 0;
  #stride = 1;
  #turn: number;
  /** Records sent when the bundle began, and when the host was last told. */
  #began: number;
  #told: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #samples: SampledRecord[] = [];

  constructor(produced: number) {
    this.#turn = produced;
    this.#began = produced;
    this.#told = produced;
  }

  refill(now: number): void {
    const { recordsPerSecond, charsPerSecond } = this.limits;
    const seconds = this.#filledAt === undefined ? 1 : Math.min(1, Math.max(0, now - this.#filledAt) / 1000);
    this.#filledAt = now;
    this.#records = Math.min(recordsPerSecond, this.#records + seconds * recordsPerSecond);
    this.#chars = Math.min(charsPerSecond, this.#chars + seconds * charsPerSecond);
  }

  /** The count at which the next copy is due, not before `count`. */
  due(count: number): number {
    return this.#records < 1 || this.#chars <= 0 ? NEVER : Math.max(count, this.#turn);
  }

  copy({ out, key, count, way, room }: Copied): void {
    this.#records--;
    this.#turn = count + this.#stride;
    const { value, timestamp, pane } = out;
    const copied = this.#text({ id: idOf(out), key, value, timestamp, pane }, room);
    const before: TapAncestor[] = [];
    for (const { stream, record, timer } of way.ancestors) {
      if (room.records <= 0 || room.chars <= 0) break;
      before.push({ stream: stream.index, ...this.#text(record, room), ...madeBy(timer) });
    }
    this.#samples.push({ ...copied, ...madeBy(way.timer), way: before });
  }

  #text({ id, key, value, timestamp, pane }: Shown, room: Room): TapRecord {
    const { text, cut } = cappedJson(value, TAP_BOUNDS.text);
    this.#chars -= cut ? CUT_COSTS * text.length : text.length;
    room.records--;
    room.chars -= text.length;
    return { key: key.slice(0, TAP_BOUNDS.key), timestamp, id: id.slice(0, TAP_BOUNDS.id), pane, text, cut };
  }

  take(stream: number, produced: number): TapSample | undefined {
    const passed = produced - this.#began;
    const copied = this.#samples.length;
    this.#began = produced;
    if (passed > 0) this.#stride = Math.max(1, Math.floor(passed / Math.max(1, this.#records + copied)));
    const now = this.#filledAt ?? 0;
    const isTold = copied > 0 || Math.abs(now - this.#toldAt) >= TELL_MS;
    if (produced === this.#told || !isTold) return undefined;
    const sample = { stream, seen: produced - this.#told, records: this.#samples };
    this.#told = produced;
    this.#toldAt = now;
    this.#samples = [];
    return sample;
  }
}

const madeBy = (timer: TapTimer | undefined) => (timer === undefined ? {} : { timer });

interface Shown {
  readonly id: string;
  readonly key: string;
  readonly value: unknown;
  readonly timestamp: number;
  readonly pane: Pane | undefined;
}

function idOf({ origin, producer, ordinal }: Outgoing): string {
  return typeof origin === 'string' ? origin : producer.deriveId(origin.id, producer.computation, ordinal);
}
