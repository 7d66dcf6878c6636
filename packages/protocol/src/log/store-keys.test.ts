import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../bytes/byte-writer.ts';
import {
  compareBytes,
  dueFrom,
  type KeyHash,
  keyPrefix,
  mapEntryKey,
  mapPrefix,
  parkedKey,
  readDueKey,
  readKeyPrefix,
  readParkedSequence,
  readStateKey,
  slotOf,
  slotStart,
  startsWith,
  stateKey,
  writeDueHead,
  writeFarTimerTail,
  writeKeyPrefix,
} from './store-keys.ts';

/** Few different characters, those next to the escapes among them, so that prefixes of each other are common. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u00ff', 'a', 'b', '\uffff', '😀'), maxLength: 4 }),
  fc.constantFrom('', '__proto__', '\ufeff', 'x'.repeat(500)),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const u32 = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
);
const hash: fc.Arbitrary<KeyHash> = fc.record({ high: u32, low: u32 });
const mapKey = fc.oneof(
  text,
  fc.constantFrom(0, -1, 1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 31, -(2 ** 31) - 1),
  fc.maxSafeInteger(),
);

const utf8 = (s: string) => new TextEncoder().encode(s);
const order = (...steps: number[]) => Math.sign(steps.find((step) => step !== 0) ?? 0);
const byText = (a: string, b: string) => compareBytes(utf8(a), utf8(b));
const byMapKey = (a: string | number, b: string | number) =>
  typeof a === 'number' ? (typeof b === 'number' ? a - b : -1) : typeof b === 'number' ? 1 : byText(a, b);

describe('keys of the store', () => {
  it('sort by (hash, key, map, map key): numbers before strings, negative before positive', () => {
    const place = fc.tuple(
      fc.constantFrom({ high: 1, low: 2 }, { high: 0x80000000, low: 0 }),
      text,
      text,
      mapKey,
    );
    fc.assert(
      fc.property(place, place, ([ha, ka, ma, a], [hb, kb, mb, b]) => {
        const bytes = compareBytes(
          mapEntryKey(keyPrefix(ka, ha), ma, a),
          mapEntryKey(keyPrefix(kb, hb), mb, b),
        );
        expect(Math.sign(bytes)).toBe(
          order(ha.high - hb.high, ha.low - hb.low, byText(ka, kb), byText(ma, mb), byMapKey(a, b)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('sort by hash as an unsigned number of 64 bits', () => {
    fc.assert(
      fc.property(hash, hash, (a, b) => {
        const bytes = compareBytes(keyPrefix('k', a), keyPrefix('k', b));
        expect(Math.sign(bytes)).toBe(order(a.high - b.high, a.low - b.low));
      }),
    );
  });

  it('are unambiguous: no key prefix is the beginning of another, and no map of another', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a !== b);
        const h = { high: 7, low: 7 };
        expect(startsWith(keyPrefix(a, h), keyPrefix(b, h))).toBe(false);
        const prefix = keyPrefix('k', h);
        expect(startsWith(mapPrefix(prefix, a), mapPrefix(prefix, b))).toBe(false);
        expect(startsWith(mapEntryKey(prefix, a, 1), mapPrefix(prefix, b))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('give back the key, the map and the map key they were made of', () => {
    fc.assert(
      fc.property(hash, text, text, mapKey, (h, key, map, k) => {
        const prefix = keyPrefix(key, h);
        const stored = mapEntryKey(prefix, map, k);
        expect(readKeyPrefix(stored)).toEqual({ key, end: prefix.length });
        expect(readStateKey(stored, prefix.length)).toEqual({ kind: 'map', map, key: k });
        expect(readStateKey(stateKey(prefix), prefix.length)).toEqual({ kind: 'state' });
        expect(startsWith(stored, mapPrefix(prefix, map))).toBe(true);
        // A timer's key is the prefix, its clock's letter and its tag.
        const timer = Uint8Array.of(...prefix, ...new TextEncoder().encode('wtag'));
        expect(readKeyPrefix(timer).end).toBe(prefix.length);
      }),
      { numRuns: 500 },
    );
  });

  it('P3: parked inputs of a key sort by their sequence, beyond 2^32 too', () => {
    const prefix = keyPrefix('k', { high: 0, low: 0 });
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
        expect(readParkedSequence(parkedKey(prefix, a), prefix.length)).toBe(a);
        expect(Math.sign(compareBytes(parkedKey(prefix, a), parkedKey(prefix, b)))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('T2: far timers sort by clock and rank, and give back clock, rank, key and tag', () => {
    const rank = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }), fc.maxSafeInteger());
    const timer = fc.tuple(fc.boolean(), rank, text, text, hash);
    const stored = ([wall, time, key, tag, h]: [boolean, number, string, string, KeyHash]) => {
      const w = new ByteWriter();
      writeDueHead(w, wall, time + 0);
      writeKeyPrefix(w, key, h.high, h.low);
      w.utf8(tag);
      return w.take();
    };
    fc.assert(
      fc.property(timer, timer, (a, b) => {
        const [wall, time, key, id] = a;
        expect(readDueKey(stored(a))).toEqual({ wall, rank: time + 0, key, id });
        expect(startsWith(stored(a), dueFrom(wall, time + 0))).toBe(true);
        const clocks = Number(a[0]) - Number(b[0]);
        const ranks = a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
        if (order(clocks, ranks) === 0) return;
        expect(Math.sign(compareBytes(stored(a), stored(b)))).toBe(order(clocks, ranks));
      }),
      { numRuns: 500 },
    );
    expect(compareBytes(dueFrom(false, Number.NEGATIVE_INFINITY), dueFrom(false, -1e300))).toBeLessThan(0);
  });

  it('a far timer lies between the value of its key and its maps', () => {
    const prefix = keyPrefix('k', { high: 1, low: 2 });
    const w = new ByteWriter();
    writeKeyPrefix(w, 'k', 1, 2);
    writeFarTimerTail(w, 'wtag');
    const far = w.take();
    expect(readStateKey(far, prefix.length)).toEqual({ kind: 'timer', id: 'wtag' });
    expect(startsWith(far, stateKey(prefix))).toBe(true);
    expect(compareBytes(far, mapEntryKey(prefix, '', -1))).toBeLessThan(0);
  });

  it('a slot begins at the first hash that it owns, for any number of slots', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1024 }), fc.nat(), u32, (slots, pick, high) => {
        const slot = pick % slots;
        const start = slotStart(slot, slots);
        const first = new DataView(start.buffer).getUint32(0);
        expect(slotOf({ high: first, low: 0 }, slots)).toBe(slot);
        if (first > 0) expect(slotOf({ high: first - 1, low: 0xffffffff }, slots)).toBe(slot - 1);
        const key = keyPrefix('k', { high, low: 5 });
        const owner = slotOf({ high, low: 5 }, slots);
        expect(owner).toBeLessThan(slots);
        expect(compareBytes(key, slotStart(owner, slots))).toBeGreaterThanOrEqual(0);
        if (owner + 1 < slots) expect(compareBytes(key, slotStart(owner + 1, slots))).toBeLessThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
