/**
 * How far a worker was sent its input: up to where its successor will be sent the same, and may meet the same end.
 * Places are as in the log and in the sources, so that they mean the same whoever reads.
 */
import type { Chunk } from '@millrace/protocol';

export class InputReach {
  #delivered = 0;
  /** By node and partition: where what was handed over ends. */
  readonly #read = new Map<string, number>();

  /** A partition is read from here on. */
  begins(node: number, partition: number, offset: number): void {
    this.#reaches(`${node}/${partition}`, offset);
  }

  took(node: number, partition: number, chunk: Chunk): void {
    const end = endOf(chunk);
    if (end !== undefined) this.#reaches(`${node}/${partition}`, end);
  }

  delivered(position: number): void {
    this.#delivered = Math.max(this.#delivered, position);
  }

  /** What another one reached belongs to it, too. */
  add(other: InputReach): void {
    this.delivered(other.#delivered);
    for (const [place, end] of other.#read) this.#reaches(place, end);
  }

  coversDeliveries(other: InputReach): boolean {
    return this.#delivered >= other.#delivered;
  }

  coversSources(other: InputReach): boolean {
    for (const [place, end] of other.#read)
      if ((this.#read.get(place) ?? Number.NEGATIVE_INFINITY) < end) return false;
    return true;
  }

  #reaches(place: string, end: number): void {
    const before = this.#read.get(place);
    if (before === undefined || end > before) this.#read.set(place, end);
  }
}

/** Undefined for what is no input. */
function endOf(chunk: Chunk): number | undefined {
  switch (chunk.kind) {
    case 'bytes':
      return chunk.offset + chunk.bytes.length;
    case 'ordinals':
      return chunk.first + chunk.count;
    case 'request':
      return chunk.number + 1;
    case 'ended':
      return Number.POSITIVE_INFINITY;
    case 'version':
    case 'reached':
    case 'idle':
      return undefined;
  }
}
