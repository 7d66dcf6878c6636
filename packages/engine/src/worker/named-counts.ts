/**
 * What a computation counts with `ctx.count`, on one worker (P8: only calls that end count; P9: part of the
 * commit). Bounded, because names are the pipeline's own: what finds no room is counted as cut.
 */
import { ByteReader, ByteWriter } from '@millrace/protocol';

export const MOST_NAMES = 64;
/** In UTF-16 units. */
export const LONGEST_NAME = 100;

export interface NamedSums {
  readonly sums: ReadonlyMap<string, number>;
  /** Calls that were not counted: a name too long or too many of them, a number that is none. */
  readonly cut: number;
}

export const NOTHING_NAMED: NamedSums = { sums: new Map(), cut: 0 };

export class NamedCounts implements NamedSums {
  readonly sums = new Map<string, number>();
  cut = 0;
  #changed = false;

  add(name: string, n: number): void {
    this.#changed = true;
    const before = this.sums.get(name);
    const sum = (before ?? 0) + n;
    const hasRoom = before !== undefined || (this.sums.size < MOST_NAMES && name.length <= LONGEST_NAME);
    if (hasRoom && Number.isFinite(sum)) this.sums.set(name, sum);
    else this.cut++;
  }

  restore({ sums, cut }: NamedSums): void {
    for (const [name, sum] of sums) this.sums.set(name, sum);
    this.cut = cut;
  }

  /** The post-image, if anything changed since it was last taken. */
  takeChange(): Uint8Array | undefined {
    if (!this.#changed) return undefined;
    this.#changed = false;
    return encodeNamedSums(this);
  }
}

export function encodeNamedSums({ sums, cut }: NamedSums): Uint8Array {
  const w = new ByteWriter(128);
  w.varint(cut);
  w.varint(sums.size);
  for (const [name, sum] of sums) {
    w.text(name);
    w.f64(sum);
  }
  return w.take();
}

/** Throws for anything `NamedCounts` could not have written: a worker is not trusted. */
export function decodeNamedSums(bytes: Uint8Array): NamedSums {
  const r = new ByteReader(bytes);
  const cut = r.varint();
  const size = r.varint();
  if (size > MOST_NAMES) throw new RangeError(`${size} named counts, ${MOST_NAMES} at most`);
  const sums = new Map<string, number>();
  for (let left = size; left > 0; left--) {
    const name = r.text();
    const sum = r.f64();
    if (name.length > LONGEST_NAME || !Number.isFinite(sum))
      throw new RangeError('a named count that is none');
    sums.set(name, sum);
  }
  if (!r.done) throw new RangeError('named counts with something behind them');
  return { sums, cut };
}
