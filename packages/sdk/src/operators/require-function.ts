export function requireFunction(value: unknown, what: string): void {
  if (typeof value !== 'function') {
    throw new TypeError(`${what} must be a function, but it is ${value === null ? 'null' : typeof value}.`);
  }
}
