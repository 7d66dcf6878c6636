/** A worker may have written anything into its own spaces: what cannot be read is left out. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
