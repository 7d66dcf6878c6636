import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, MalformedBytes } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

type Item =
  | { kind: 'u8' | 'u16' | 'u32' | 'f64' | 'varint'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'blob' | 'raw'; value: Uint8Array };

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({ kind: fc.constant('u8' as const), value: fc.nat(0xff) }),
  fc.record({ kind: fc.constant('u16' as const), value: fc.nat(0xffff) }),
  fc.record({ kind: fc.constant('u32' as const), value: fc.integer({ min: 0, max: 0xffffffff }) }),
  fc.record({ kind: fc.constant('f64' as const), value: fc.double() }),
  fc.record({ kind: fc.constant('varint' as const), value: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'binary', maxLength: 100 }) }),
  fc.record({ kind: fc.constantFrom('blob' as const, 'raw' as const), value: fc.uint8Array() }),
);

function write(w: ByteWriter, { kind, value }: Item): void {
  if (kind === 'text') w.text(value);
  else if (kind === 'blob') w.blob(value);
  else if (kind === 'raw') w.raw(value);
  else w[kind](value as number);
}

function read(r: ByteReader, { kind, value }: Item): unknown {
  if (kind === 'raw') return r.raw(value.length);
  return r[kind]();
}

describe('ByteReader and ByteWriter', () => {
  it('read back what was written, from any capacity and in any order', () => {
    fc.assert(
      fc.property(fc.nat(64), fc.array(item), (capacity, items) => {
        const w = new ByteWriter(capacity);
        for (const each of items) write(w, each);
        const r = new ByteReader(w.take());
        for (const each of items) expect(read(r, each)).toStrictEqual(each.value);
        expect(r.done).toBe(true);
      }),
    );
  });

  it('throw MalformedBytes at every cut', () => {
    fc.assert(
      fc.property(item, fc.nat(), (each, at) => {
        const w = new ByteWriter();
        write(w, each);
        const bytes = w.take();
        if (bytes.length === 0) return;
        expect(() => read(new ByteReader(bytes.subarray(0, at % bytes.length)), each)).toThrow(
          MalformedBytes,
        );
      }),
    );
  });

  it('refuse numbers no safe integer can be, and numbers without an end', () => {
    expect(() => new ByteReader(new Uint8Array(20).fill(0x80)).varint()).toThrow(MalformedBytes);
    expect(() => new ByteReader(new Uint8Array(8).fill(0xff)).varint()).toThrow(MalformedBytes);
    const most = new ByteWriter();
    most.varint(Number.MAX_SAFE_INTEGER);
    expect(new ByteReader(most.take()).varint()).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('read a view that begins in the middle of its buffer', () => {
    const whole = Uint8Array.of(9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    expect(new ByteReader(whole.subarray(2)).u32()).toBe(0x04030201);
    expect(() => new ByteReader(whole.subarray(2, 5)).u32()).toThrow(MalformedBytes);
  });

  it('hand out a copy: what is written later does not change what was taken', () => {
    const w = new ByteWriter(4);
    w.u32(1);
    const taken = w.take();
    w.u32(2);
    expect([...taken]).toEqual([1, 0, 0, 0]);
  });
});
