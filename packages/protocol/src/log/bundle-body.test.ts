import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedBytes } from '../bytes/byte-reader.ts';
import { BundleBodyWriter, forEachChange, readBundleBody, SINK_SLOT } from './bundle-body.ts';
import { ChangeCursor } from './change-cursor.ts';

const bytes = fc.uint8Array({ maxLength: 30 });
const changes = fc.array(
  fc.record({ space: fc.nat(100_000), key: bytes, value: fc.option(bytes, { nil: undefined }) }),
  { maxLength: 8 },
);
const batches = fc.array(
  fc.record({
    node: fc.nat(50),
    stream: fc.nat(50),
    slot: fc.constantFrom(0, 1, SINK_SLOT),
    count: fc.nat(1000),
    bytes,
  }),
  { maxLength: 4 },
);
const letters = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 });
const content = fc.record({ changes, batches, letters });
type Content = typeof content extends fc.Arbitrary<infer C> ? C : never;

function bodyOf({ changes, batches, letters }: Content, writer = new BundleBodyWriter()): Uint8Array {
  for (const { space, key, value } of changes)
    if (value === undefined) writer.remove(space, key);
    else writer.put(space, key, value);
  for (const batch of batches) writer.batch(batch);
  for (const letter of letters) writer.deadLetter(letter);
  return writer.take();
}

describe('a bundle body', () => {
  it('round-trips changes in order, batches and dead letters; each change can be read where it lies', () => {
    fc.assert(
      fc.property(content, (given) => {
        const body = readBundleBody(bodyOf(given));
        const found: unknown[] = [];
        forEachChange(body, (change) => {
          const cursor = new ChangeCursor(body.bytes);
          cursor.read(change.at);
          const { space, key, value, at } = cursor;
          expect({ space, key, value, at }).toEqual(change);
          found.push({ space: change.space, key: change.key, value: change.value });
        });
        expect(found).toEqual(given.changes);
        expect(body.batches).toEqual(given.batches);
        expect(body.deadLetters).toEqual(given.letters);
      }),
    );
  });

  it('distinguishes an empty value from a removal', () => {
    const writer = new BundleBodyWriter();
    writer.put(0, Uint8Array.of(1), new Uint8Array(0));
    writer.remove(0, Uint8Array.of(2));
    const values: unknown[] = [];
    forEachChange(readBundleBody(writer.take()), ({ value }) => values.push(value));
    expect(values).toEqual([new Uint8Array(0), undefined]);
  });

  it('starts anew after `take`', () => {
    const writer = new BundleBodyWriter();
    writer.deadLetter('{}');
    expect(writer.empty).toBe(false);
    writer.take();
    expect(writer.empty).toBe(true);
    expect(readBundleBody(writer.take())).toMatchObject({ batches: [], deadLetters: [] });
  });

  it('cut, lengthened or of another format is MalformedBytes', () => {
    fc.assert(
      fc.property(content, fc.nat(), (given, at) => {
        const whole = bodyOf(given);
        expect(() => readBundleBody(whole.subarray(0, at % whole.length))).toThrow(MalformedBytes);
        expect(() => readBundleBody(Uint8Array.of(...whole, 0))).toThrow(MalformedBytes);
        expect(() => readBundleBody(Uint8Array.of(2, ...whole.subarray(1)))).toThrow(MalformedBytes);
      }),
    );
  });

  it('mutated by a hostile worker is a body whose changes can be walked, or MalformedBytes', () => {
    fc.assert(
      fc.property(
        content,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
        (given, mutations) => {
          const whole = bodyOf(given);
          for (const [at, byte] of mutations) whole[at % whole.length] = byte;
          try {
            const body = readBundleBody(whole);
            forEachChange(body, ({ at }) => new ChangeCursor(body.bytes).read(at));
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBytes);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('announcing more than there is does not make room for it', () => {
    expect(() => readBundleBody(Uint8Array.of(1, 255, 255, 255, 255, 255, 255, 15, 0))).toThrow(
      MalformedBytes,
    );
    expect(() => readBundleBody(Uint8Array.of(1, 0, 0, 255, 255, 255, 255, 255, 255, 15))).toThrow(
      MalformedBytes,
    );
  });
});
