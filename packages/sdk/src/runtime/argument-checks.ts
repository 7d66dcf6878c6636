/** What user code may hand to its context; everything else throws in the call that did it. */

/** `what` names the argument in the message. */
export function checkTime(time: unknown, what: string): void {
  if (!Number.isSafeInteger(time))
    throw new RangeError(`${what} must be an integer of milliseconds, not ${describe(time)}`);
}

export function checkMapKey(key: unknown): void {
  if (typeof key === 'string' || Number.isSafeInteger(key)) return;
  throw new TypeError(`a map key is a string or a safe integer, not ${describe(key)}`);
}

export function describe(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'object' && value !== null
      ? 'an object'
      : String(value);
}
