/** The one spelling of a key (G2). Throws what the dead letter of the consumer will say. */
export const MAX_KEY_BYTES = 16 * 1024;

export function keyText(value: unknown): string {
  if (typeof value === 'string') return checkKey(value);
  if (typeof value === 'bigint') return checkKey(value.toString());
  // −0 is 0; `1` and `"1"` are one key.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value + 0);
  if (typeof value === 'number')
    throw new TypeError(`the key is ${value}: a number used as a key must be a safe integer`);
  throw new TypeError(
    `the key is ${value === null ? 'null' : value === undefined ? 'missing' : `a ${typeof value}`}: a key is a string, a bigint or a safe integer`,
  );
}

export function checkKey(key: string): string {
  // UTF-16 units are at most three bytes each, so short keys need no counting.
  if (key.length * 3 > MAX_KEY_BYTES && new TextEncoder().encode(key).length > MAX_KEY_BYTES)
    throw new RangeError(`the key has more than ${MAX_KEY_BYTES} bytes`);
  if (!key.isWellFormed()) throw new TypeError('the key has a lone surrogate, which UTF-8 cannot express');
  return key;
}
