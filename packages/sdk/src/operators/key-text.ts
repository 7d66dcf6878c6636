/** One spelling for each key that a function gives, as for `keyBy` (G2). `what` names the function. */
export function keyText(key: unknown, what: string): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'bigint' || (typeof key === 'number' && Number.isSafeInteger(key))) return String(key);
  throw new TypeError(
    `${what} gave ${typeof key === 'number' ? key : `a value of type ${typeof key}`}; it must give a string, a bigint or a whole number.`,
  );
}
