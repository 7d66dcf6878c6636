/**
 * What user code finds in a worker: the language, and a few pure functions. Everything else is taken away,
 * by a list of what stays (a new Deno may bring new globals).
 *
 * Deno's own permission check stands behind this; here the standard streams are what matters (`console`,
 * `prompt`, `process` write to them), because frames travel on them.
 */

const KEPT = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis
  JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array
  BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator AsyncIterator
  WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry DisposableStack AsyncDisposableStack SharedArrayBuffer
  WebAssembly Temporal decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN
  console queueMicrotask setTimeout clearTimeout setInterval clearInterval structuredClone atob btoa TextEncoder
  TextDecoder URL URLSearchParams crypto performance AbortController AbortSignal DOMException Event EventTarget
  addEventListener removeEventListener dispatchEvent`.split(/\s+/),
);

/** Bindings that nobody may replace: the frame code and the data plane look them up. */
const FIXED =
  `Object Function Array Number String Boolean Symbol BigInt Promise RegExp Error TypeError RangeError JSON Math Date Reflect
  ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Float32Array Float64Array Map Set WeakMap WeakSet WeakRef Proxy TextEncoder TextDecoder`.split(/\s+/);

export function closeHoles(): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!KEPT.has(name)) remove(scope, name);
  const url = scope.URL as Record<string, unknown>;
  remove(url, 'createObjectURL');
  remove(url, 'revokeObjectURL');
  (scope.Atomics as { wait: unknown }).wait = refuseToSleep;
  lockIntrinsics();
  for (const name of FIXED)
    Object.defineProperty(scope, name, { value: scope[name], writable: false, configurable: false });
}

/** Nobody else is there to wake the worker, and a call that sleeps looks like one that is given no processor. */
function refuseToSleep(): never {
  throw new TypeError('Atomics.wait would stop the whole worker: use a timer of the pipeline');
}

function remove(from: Record<string, unknown>, name: string): void {
  if (Reflect.deleteProperty(from, name)) return;
  // Not configurable: at least without content.
  Object.defineProperty(from, name, { value: undefined });
}

/**
 * Frames are made and read with these; frozen, no user code gets between. `Object.prototype` and
 * `Error.prototype` only refuse new properties: freezing them would break `object.toString = …` on every
 * object, and with it records that have such a field.
 */
function lockIntrinsics(): void {
  const typedArray = Object.getPrototypeOf(Uint8Array) as { prototype: object };
  const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator]()];
  const frozen: object[] = [
    typedArray,
    typedArray.prototype,
    ...[Uint8Array, Int32Array, Uint32Array, Float64Array, BigInt64Array, BigUint64Array].flatMap(
      withPrototype,
    ),
    ...[ArrayBuffer, DataView, Map, Set, WeakMap, WeakSet, Promise, Array, String, Number].flatMap(
      withPrototype,
    ),
    ...[TextEncoder, TextDecoder, RegExp, BigInt].flatMap(withPrototype),
    ...iterators.map((iterator) => Object.getPrototypeOf(iterator) as object),
    // Only what they offer themselves: a date or an object may still have a `toString` of its own.
    ...[Object, Date, Symbol, Math, Reflect, JSON],
  ];
  for (const object of frozen) Object.freeze(object);
  for (const open of [Object.prototype, Error.prototype, Function.prototype]) Object.preventExtensions(open);
}

function withPrototype(intrinsic: { prototype: object }): object[] {
  return [intrinsic, intrinsic.prototype];
}
