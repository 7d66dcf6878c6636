/**
 * Values that may travel and be stored: JSON data plus `bigint`, `Date` and `Uint8Array` (model.md §1).
 * `copyData` is what separates the engine's values from the user's: nothing handed out is ever kept, nothing
 * kept is ever handed out (P12).
 */

/** A deep copy. Throws a TypeError that names the place of anything that is not data. */
export function copyData<T>(value: T, where = 'value'): T {
  if (typeof value === 'object' ? value === null : typeof value !== 'function' && typeof value !== 'symbol')
    return value;
  try {
    return copyObject(value, 0) as T;
  } catch (error) {
    // The place is looked for only now: spelling it on the way down would cost more than the copy.
    throw error instanceof NotData
      ? new TypeError(`${where}${placeOf(value, error.found)} ${error.message}`)
      : error;
  }
}

/** Freezes a value made by `copyData` or `JSON.parse`, deeply. Typed arrays cannot be frozen and are left. */
export function freezeData<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') freezeData(item);
  } else if (ArrayBuffer.isView(value)) {
    return value;
  } else {
    const fields = value as Record<string, unknown>;
    for (const name in fields) if (typeof fields[name] === 'object') freezeData(fields[name]);
  }
  return Object.freeze(value);
}

/**
 * Freezes what `JSON.parse` made, and tells whether a number in it lies where digits may have been lost, so
 * that the text has to be read again exactly. One walk for both: this is the hot path of every source. Throws
 * for what is nested too deep to be stored or sent.
 */
export function freezeParsed(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return value >= FIRST_UNSAFE || value <= -FIRST_UNSAFE;
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) throw new RangeError(`the value is nested deeper than ${MAX_DEPTH} levels`);
  let unsafe = false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string' && freezeParsed(item, depth + 1)) unsafe = true;
  } else {
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const field = fields[name];
      if (
        typeof field === 'number'
          ? field >= FIRST_UNSAFE || field <= -FIRST_UNSAFE
          : typeof field === 'object' && freezeParsed(field, depth + 1)
      )
        unsafe = true;
    }
  }
  Object.freeze(value);
  return unsafe;
}

const FIRST_UNSAFE = 2 ** 53;
const MAX_DEPTH = 500;

function copyObject(value: unknown, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notData(value);
  if (depth > MAX_DEPTH)
    throw new NotData(value, `is nested deeper than ${MAX_DEPTH} levels or refers to itself`);
  const object = value as object;
  if (Array.isArray(object)) return copyArray(object, depth);
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null)
    return copyRecord(object as Record<string, unknown>, depth);
  if (object instanceof Date) return new Date(object.getTime());
  if (object instanceof Uint8Array) return Uint8Array.from(object);
  throw notData(object);
}

function copyArray(source: readonly unknown[], depth: number): unknown[] {
  const copy = new Array<unknown>(source.length);
  for (let i = 0; i < source.length; i++) {
    const item = source[i];
    copy[i] = isPrimitive(item) ? item : copyObject(item, depth + 1);
  }
  return copy;
}

function copyRecord(source: Record<string, unknown>, depth: number): Record<string, unknown> {
  // A spread keeps an own `__proto__` an own property, and is V8's fastest way to copy a small object.
  const copy: Record<string, unknown> = { ...source };
  for (const name in copy) {
    const item = copy[name];
    if (isPrimitive(item)) continue;
    const inner = copyObject(item, depth + 1);
    if (name === '__proto__')
      Object.defineProperty(copy, name, {
        value: inner,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = inner;
  }
  return copy;
}

function isPrimitive(value: unknown): boolean {
  return typeof value === 'object'
    ? value === null
    : typeof value !== 'function' && typeof value !== 'symbol';
}

class NotData extends Error {
  readonly found: unknown;

  constructor(found: unknown, message: string) {
    super(message);
    this.found = found;
  }
}

function notData(value: unknown): NotData {
  const name =
    typeof value === 'object' && value !== null ? (value.constructor?.name ?? 'object') : typeof value;
  return new NotData(
    value,
    `is a ${name}, which is not data: use plain objects, arrays, strings, numbers, bigint, Date or Uint8Array`,
  );
}

/** Spells the way from a value to something in it; empty for the value itself, and for what lies too deep. */
function placeOf(value: unknown, found: unknown, depth = 0): string {
  if (value === found || typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  for (const [name, item] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `.${name}`;
    if (item === found) return step;
    const rest = placeOf(item, found, depth + 1);
    if (rest !== '') return step + rest;
  }
  return '';
}
