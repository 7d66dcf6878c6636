import {
  BundleBodyWriter,
  compareBytes,
  forEachChange,
  MalformedBytes,
  readBundleBody,
} from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPage, PendingChanges, pageEntries } from './page.ts';
import { SpaceDirectory } from './page-directory.ts';

function pendingOf(changes: readonly (readonly [Uint8Array, Uint8Array | undefined])[]): PendingChanges {
  const writer = new BundleBodyWriter();
  for (const [key, value] of changes)
    if (value === undefined) writer.remove(4, key);
    else writer.put(4, key, value);
  const body = readBundleBody(writer.take());
  const pending = new PendingChanges();
  forEachChange(body, ({ at }) => pending.add(body.bytes, at));
  return pending;
}

const key = fc.uint8Array({ maxLength: 4 });
const changes = fc.array(
  fc.tuple(
    key,
    fc.option(
      fc.constantFrom(0, 10, 5000, 13_000).map((length) => new Uint8Array(length)),
      { nil: undefined },
    ),
  ),
  { maxLength: 40 },
);

describe('a page', () => {
  it('cut into pages, covers its range: sorted, none above the bound unless one entry is, starts at first keys', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const start = new Uint8Array(0);
        const model = new Map<string, Uint8Array>();
        for (const [key, value] of [...first, ...second]) {
          const id = Buffer.from(key).toString('hex');
          if (value === undefined) model.delete(id);
          else model.set(id, value);
        }
        const before = foldPage(start, undefined, pendingOf(first), 1_000);
        const inOne = before.length === 1 ? before[0]?.body : undefined;
        if (before.length > 1) return;
        const pages = foldPage(start, inOne, pendingOf(second), 5_900);
        const entries = pages.flatMap((page) => [...pageEntries(page.body)]);
        expect(entries.map(({ key }) => Buffer.from(key).toString('hex'))).toEqual([...model.keys()].sort());
        for (const entry of entries)
          expect(entry.value.length).toBe(model.get(Buffer.from(entry.key).toString('hex'))?.length);
        pages.forEach((page, i) => {
          const own = [...pageEntries(page.body)];
          expect(own.length).toBeGreaterThan(0);
          expect(page.start).toEqual(i === 0 ? start : own[0]?.key);
          if (own.length > 1) expect(page.body.length).toBeLessThan(6 * 1024 + 13_020 + 5_020);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('says of each entry in which second its last change came in, and takes pages of before as they are', () => {
    const [a, b, c] = [1, 2, 3].map((n) => Uint8Array.of(n)) as [Uint8Array, Uint8Array, Uint8Array];
    const empty = new Uint8Array(0);
    // Format 1: two entries without times.
    const untimed = Uint8Array.of(1, 1, 1, 0, 1, 2, 0);
    const timesOf = (body: Uint8Array | undefined) => [...pageEntries(body ?? empty)].map((e) => e.foldedAt);
    expect(timesOf(untimed)).toEqual([undefined, undefined]);
    const [first] = foldPage(empty, untimed, pendingOf([[b, a]]), 1_700_000_000_999);
    expect(timesOf(first?.body)).toEqual([undefined, 1_700_000_000_000]);
    const [second] = foldPage(empty, first?.body, pendingOf([[c, a]]), 1_700_000_009_000);
    expect(timesOf(second?.body)).toEqual([undefined, 1_700_000_000_000, 1_700_000_009_000]);
  });

  it('of another format is refused', () => {
    expect(() => [...pageEntries(Uint8Array.of(9))]).toThrow(MalformedBytes);
  });
});

describe('SpaceDirectory', () => {
  it('finds the page of a key as a walk over all starts would', () => {
    const start = fc
      .uint8Array({ maxLength: 8 })
      .map((bytes) => bytes.map((byte) => [0, 1, 255][byte % 3] as number));
    fc.assert(
      fc.property(fc.array(start), start, (starts, key) => {
        const sorted = [
          ...new Map(starts.map((each) => [Buffer.from(each).toString('hex'), each])).values(),
        ].sort(compareBytes);
        const directory = new SpaceDirectory(sorted);
        const walked = directory.pages.filter((page) => compareBytes(page.start, key) <= 0).length - 1;
        expect(directory.indexOf(key)).toBe(walked);
      }),
      { numRuns: 500 },
    );
  });
});
