/**
 * Values as bytes: JSON data plus bigint, Date and Uint8Array. Each value decodes on its own, with no table
 * shared between encoder and decoder (a structure table indexed per connection was tried: bytes packed by one
 * encoder and read by another came out with other field names, without an error). `__proto__` stays an own
 * property. Nothing else is ever constructed from bytes.
 */
import { type ByteReader, MalformedBytes } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

const T = {
  null: 0,
  false: 1,
  true: 2,
  undefined: 3,
  int: 4,
  negative: 5,
  float: 6,
  text: 7,
  array: 8,
  object: 9,
  bigint: 10,
  negativeBigint: 11,
  date: 12,
  bytes: 13,
} as const;

/** Integers 0 … 111 are one byte. */
const SMALL = 0x90;
const MAX_DEPTH = 512;

export function encodeValue(w: ByteWriter, value: unknown): void {
  switch (typeof value) {
    case 'string':
      w.u8(T.text);
      w.text(value);
      return;
    case 'number':
      encodeNumber(w, value);
      return;
    case 'boolean':
      w.u8(value ? T.true : T.false);
      return;
    case 'undefined':
      w.u8(T.undefined);
      return;
    case 'bigint':
      encodeBigint(w, value);
      return;
    case 'object':
      encodeObject(w, value);
      return;
    default:
      throw new TypeError(`a ${typeof value} is not data`);
  }
}

function encodeNumber(w: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    if (value >= 0) {
      if (value < 0x70) return w.u8(SMALL + value);
      w.u8(T.int);
      return w.varint(value);
    }
    w.u8(T.negative);
    return w.varint(-value);
  }
  w.u8(T.float);
  w.f64(value);
}

function encodeBigint(w: ByteWriter, value: bigint): void {
  w.u8(value < 0n ? T.negativeBigint : T.bigint);
  const hex = (value < 0n ? -value : value).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  w.varint(even.length / 2);
  for (let i = 0; i < even.length; i += 2) w.u8(Number.parseInt(even.slice(i, i + 2), 16));
}

function encodeObject(w: ByteWriter, value: object | null): void {
  if (value === null) return w.u8(T.null);
  if (Array.isArray(value)) {
    w.u8(T.array);
    w.varint(value.length);
    for (let i = 0; i < value.length; i++) encodeValue(w, value[i]);
    return;
  }
  if (value instanceof Date) {
    w.u8(T.date);
    return w.f64(value.getTime());
  }
  if (value instanceof Uint8Array) {
    w.u8(T.bytes);
    return w.blob(value);
  }
  const names = Object.keys(value);
  w.u8(T.object);
  w.varint(names.length);
  for (const name of names) {
    w.text(name);
    encodeValue(w, (value as Record<string, unknown>)[name]);
  }
}

export function decodeValue(r: ByteReader, depth = 0): unknown {
  const tag = r.u8();
  if (tag >= SMALL) return tag - SMALL;
  switch (tag) {
    case T.null:
      return null;
    case T.false:
      return false;
    case T.true:
      return true;
    case T.undefined:
      return undefined;
    case T.int:
      return r.varint();
    case T.negative:
      return -r.varint();
    case T.float:
      return r.f64();
    case T.text:
      return r.text();
    case T.date:
      return new Date(r.f64());
    case T.bytes:
      return Uint8Array.from(r.blob());
    case T.bigint:
    case T.negativeBigint:
      return decodeBigint(r, tag === T.negativeBigint);
    case T.array:
    case T.object:
      if (depth > MAX_DEPTH) throw new MalformedBytes('nested too deep');
      return tag === T.array ? decodeArray(r, depth) : decodeObject(r, depth);
    default:
      throw new MalformedBytes(`unknown value tag ${tag}`);
  }
}

function decodeBigint(r: ByteReader, negative: boolean): bigint {
  let hex = '0';
  for (const byte of r.blob()) hex += byte.toString(16).padStart(2, '0');
  const value = BigInt(`0x${hex}`);
  return negative ? -value : value;
}

function decodeArray(r: ByteReader, depth: number): unknown[] {
  const length = r.varint();
  const array: unknown[] = [];
  for (let i = 0; i < length; i++) array.push(decodeValue(r, depth + 1));
  return array;
}

function decodeObject(r: ByteReader, depth: number): Record<string, unknown> {
  const length = r.varint();
  const object: Record<string, unknown> = {};
  for (let i = 0; i < length; i++) {
    const name = r.text();
    const value = decodeValue(r, depth + 1);
    if (name === '__proto__')
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    else object[name] = value;
  }
  return object;
}
