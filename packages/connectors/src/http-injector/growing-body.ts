/**
 * A body as it comes, in one buffer of its own: what the socket gives are views that would each keep a whole read
 * buffer alive, so that a body sent byte by byte would hold a thousand times its size.
 */
import type { ByteBudget } from './byte-budget.ts';

const FIRST_BYTES = 4 * 1024;
const LARGEST_STEP = 4 * 1024 * 1024;

export class GrowingBody {
  readonly #budget: ByteBudget;
  readonly #limit: number;
  #buffer = new Uint8Array(0);
  #length = 0;

  constructor(budget: ByteBudget, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  push(piece: Uint8Array): 'taken' | 'too-large' | 'no-room' {
    const needed = this.#length + piece.length;
    if (needed > this.#limit) return 'too-large';
    if (needed > this.#buffer.length && !this.#grow(needed)) return 'no-room';
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
    return 'taken';
  }

  /** Gives back what it holds of the budget. */
  release(): void {
    this.#budget.give(this.#buffer.length);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }

  #grow(needed: number): boolean {
    const step = Math.min(LARGEST_STEP, Math.max(FIRST_BYTES, this.#buffer.length));
    const capacity = Math.min(this.#limit, Math.max(needed, this.#buffer.length + step));
    if (!this.#budget.take(capacity - this.#buffer.length)) return false;
    const grown = new Uint8Array(capacity);
    grown.set(this.bytes);
    this.#buffer = grown;
    return true;
  }
}
