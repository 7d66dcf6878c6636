/**
 * The minimum over a receiver's senders (W1, W5), as a small state machine of its own.
 *
 * Owns: the last report of each input, and the output, which never goes back (W3).
 * Invariants
 *   WC1  an active input that has reported nothing holds everything ("not yet" is not zero).
 *   WC2  an idle or ended input does not hold.
 *   WC3  an input that comes back below the output is ignored until it has caught up (W6).
 *   WC5  while it is frozen nothing moves; what was reported meanwhile counts afterwards (W4).
 *   WC4  when no input is active the output goes to the largest idle time, then is idle; all ended is ended.
 */
import type { Watermark } from '@millrace/protocol';
import { ENDED, NOT_YET } from '@millrace/protocol';

const K = { notYet: 0, at: 1, idle: 2, ended: 3 } as const;

export class WatermarkCoalescer {
  #kinds: Uint8Array;
  #times: Float64Array;
  /** Inputs that came back and have not caught up (WC3). */
  #behind: Uint8Array;
  #floor: number | undefined;
  #idle = false;
  #ended = false;
  #frozen = false;

  constructor(inputs: number) {
    this.#kinds = new Uint8Array(inputs);
    this.#times = new Float64Array(inputs).fill(Number.NaN);
    this.#behind = new Uint8Array(inputs);
    if (inputs === 0) this.#ended = true;
  }

  /** Takes an input's report and returns the output after it. */
  set(input: number, watermark: Watermark): Watermark {
    switch (watermark.kind) {
      case 'at':
        return this.raise(input, watermark.time);
      case 'not-yet':
        return this.output;
      case 'idle':
        if (this.#kinds[input] === K.ended) return this.output;
        this.#kinds[input] = K.idle;
        if (watermark.time !== undefined && !(watermark.time < (this.#times[input] as number)))
          this.#times[input] = watermark.time;
        break;
      case 'ended':
        this.#kinds[input] = K.ended;
        break;
    }
    this.#behind[input] = 0;
    this.#recompute();
    return this.output;
  }

  /**
   * An input takes back what it promised: its worker has taken keys over. Whoever had them holds no less, so that the
   * output is not touched by it.
   */
  lower(input: number, watermark: Watermark): void {
    this.#kinds[input] = K[watermark.kind === 'not-yet' ? 'notYet' : watermark.kind];
    this.#times[input] = 'time' in watermark && watermark.time !== undefined ? watermark.time : Number.NaN;
    this.#behind[input] = 0;
    this.#recompute();
  }

  /** Further inputs, which hold nobody until they are lowered. */
  grow(inputs: number): void {
    const before = this.#kinds.length;
    if (inputs <= before) return;
    const kinds = new Uint8Array(inputs).fill(K.ended);
    kinds.set(this.#kinds);
    const times = new Float64Array(inputs).fill(Number.NaN);
    times.set(this.#times);
    const behind = new Uint8Array(inputs);
    behind.set(this.#behind);
    this.#kinds = kinds;
    this.#times = times;
    this.#behind = behind;
  }

  freeze(frozen: boolean): void {
    if (this.#frozen === frozen) return;
    this.#frozen = frozen;
    this.#recompute();
  }

  /** `set` for an active input, without an object on the way. */
  raise(input: number, time: number): Watermark {
    this.raiseTime(input, time);
    return this.output;
  }

  /** The hot path: raises an active input and returns the output's time, if it has one. */
  raiseTime(input: number, time: number): number | undefined {
    const kind = this.#kinds[input];
    if (kind === K.ended) return this.#floor;
    if (kind === K.at && time <= (this.#times[input] as number)) return this.#floor;
    const floor = this.#floor;
    if (kind === K.idle && floor !== undefined && time < floor) this.#behind[input] = 1;
    if (this.#behind[input] === 1 && (floor === undefined || time >= floor)) this.#behind[input] = 0;
    this.#kinds[input] = K.at;
    this.#times[input] = time;
    this.#recompute();
    return this.#floor;
  }

  get isFrozen(): boolean {
    return this.#frozen;
  }

  /** What an input has promised: `Infinity` once it has ended, undefined before it said anything. */
  heard(input: number): number | undefined {
    if (this.#kinds[input] === K.ended) return Number.POSITIVE_INFINITY;
    const time = this.#times[input];
    return this.#kinds[input] === K.notYet || time === undefined || Number.isNaN(time) ? undefined : time;
  }

  get output(): Watermark {
    if (this.#ended) return ENDED;
    if (this.#idle) return { kind: 'idle', time: this.#floor };
    return this.#floor === undefined ? NOT_YET : { kind: 'at', time: this.#floor };
  }

  /** The output's time while it has one; the hot path's `output`. */
  get time(): number | undefined {
    return this.#ended ? undefined : this.#floor;
  }

  /** The last time the output had, also when it is idle or ended by now. */
  get floor(): number | undefined {
    return this.#floor;
  }

  /** Starts no lower than an earlier incarnation had come (W3). */
  restore(floor: number): void {
    if (this.#floor === undefined || floor > this.#floor) this.#floor = floor;
  }

  #recompute(): void {
    if (this.#frozen) return;
    const kinds = this.#kinds;
    let least: number | undefined;
    let active = 0;
    let idle = 0;
    let largestIdle: number | undefined;
    let unknown = false;
    for (let i = 0; i < kinds.length; i++) {
      const time = this.#times[i] as number;
      if (kinds[i] === K.notYet) unknown = true;
      else if (kinds[i] === K.at && this.#behind[i] === 0) {
        active++;
        if (least === undefined || time < least) least = time;
      } else if (kinds[i] !== K.ended) {
        idle++;
        if (!Number.isNaN(time) && (largestIdle === undefined || time > largestIdle)) largestIdle = time;
      }
    }
    this.#ended = !unknown && active === 0 && idle === 0;
    this.#idle = !unknown && active === 0 && idle > 0;
    if (unknown) return;
    const next = active > 0 ? least : largestIdle;
    if (next !== undefined && (this.#floor === undefined || next > this.#floor)) this.#floor = next;
  }
}
