/**
 * `async` handler calls in flight (P10): their key waits, other keys go on. What such a call writes stays in a
 * shadow of its key's entry until the promise settles.
 *
 * Owns: which calls run, what is left of calls that were undone included; which have settled and are not looked at yet.
 * Does not own: what becomes of them; nothing of a call counts before `takeSettled` hands it out.
 */
import type { CallContext } from './call-context.ts';
import type { KeyEntry, WaitingInput } from './key-entry.ts';

export interface AsyncCall {
  readonly entry: KeyEntry;
  readonly item: WaitingInput;
  readonly shadow: KeyEntry;
  readonly ctx: CallContext;
}

export interface SettledCall extends AsyncCall {
  /** What it was rejected with; undefined when it ended well. */
  readonly error: { readonly thrown: unknown } | undefined;
}

export class AsyncCalls {
  readonly #wake: () => void;
  #settled: SettledCall[] = [];
  #running = 0;

  /** `wake` is called whenever a call has settled. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get running(): number {
    return this.#running;
  }

  get hasSettled(): boolean {
    return this.#settled.length > 0;
  }

  begin(call: AsyncCall, promise: Promise<unknown>): void {
    call.item.running = true;
    this.#running++;
    const settle = (error: SettledCall['error']): void => {
      this.#settled.push({ ...call, error });
      this.#wake();
    };
    promise.then(
      () => settle(undefined),
      (thrown) => settle({ thrown }),
    );
  }

  /** What is left of a call that was undone: it runs as well, and nothing comes of it. */
  remains(promise: Promise<unknown>, settled: () => void): void {
    this.#running++;
    const settle = (): void => {
      this.#running--;
      settled();
      this.#wake();
    };
    promise.then(settle, settle);
  }

  takeSettled(): SettledCall[] {
    const settled = this.#settled;
    this.#settled = [];
    for (const { item } of settled) item.running = false;
    this.#running -= settled.length;
    return settled;
  }
}
