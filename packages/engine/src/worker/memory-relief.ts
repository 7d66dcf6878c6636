/**
 * A call that asked for more memory than there is leaves what it had gathered as garbage. Until that is
 * collected, whatever runs next may be the one that ends the worker, and be taken for the culprit (P8).
 */

/** V8 throws a `RangeError` where a buffer or a WebAssembly memory does not fit. */
export function wantedTooMuch(error: unknown): boolean {
  try {
    return error instanceof RangeError && /alloc/i.test(error.message);
  } catch {
    // A proxy, or a message that throws: not V8's.
    return false;
  }
}
