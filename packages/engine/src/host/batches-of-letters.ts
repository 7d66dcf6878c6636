/** Deliveries gathered into one batch for each stream, receiver and node, in the order in which they are added. */
import { type Batch, ByteWriter } from '@millrace/protocol';
import type { LetterTarget } from './letter-target.ts';

type Placed = Extract<LetterTarget, { kind: 'delivery' }>;

export class BatchesOfLetters {
  readonly #open = new Map<string, { readonly of: Placed; readonly writer: ByteWriter; count: number }>();

  add(target: Placed): void {
    const key = `${target.node}/${target.stream}/${target.slot}`;
    let batch = this.#open.get(key);
    if (batch === undefined) {
      batch = { of: target, writer: new ByteWriter(1024), count: 0 };
      this.#open.set(key, batch);
    }
    batch.writer.raw(target.bytes);
    batch.count++;
  }

  take(): Batch[] {
    return [...this.#open.values()].map(({ of: { node, stream, slot }, writer, count }) => ({
      node,
      stream,
      slot,
      count,
      bytes: writer.take(),
    }));
  }
}
