import {
  BundleBodyWriter,
  ByteWriter,
  encodeRemembered,
  readBundleBody,
  requestKey,
  requestTimeKey,
  spaceOf,
} from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { KeyFilter } from './key-filter.ts';
import { PagedStore } from './paged/paged-store.ts';
import { type IdFilter, RememberedRequests } from './remembered-requests.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function setUp() {
  const paged = await PagedStore.open(new MemoryStore());
  const clock = { now: 1_700_000_000_000 };
  const open = (filter?: IdFilter) =>
    new RememberedRequests({ paged, node: 3, keepMs: DAY, now: () => clock.now, ...(filter && { filter }) });
  let position = 0;
  const put = (id: string, since: number) => {
    const body = new BundleBodyWriter();
    const w = new ByteWriter();
    const digest = new Uint8Array(32);
    encodeRemembered(w, { digest, since, done: true, accepted: 1, rejected: [], unlisted: 0, through: 1 });
    body.put(spaceOf(3, 'requests'), requestKey(id), w.take());
    body.put(spaceOf(3, 'requestTimes'), requestTimeKey(since, id), new Uint8Array(0));
    paged.apply(++position, readBundleBody(body.take()));
  };
  return { paged, clock, open, put };
}

describe('RememberedRequests', () => {
  it('RM1: finds what is stored before it has heard of it, and after', async () => {
    const { clock, open, put } = await setUp();
    put('a', clock.now);
    const memory = open();
    expect(await memory.find('a')).toMatchObject({ accepted: 1 });
    await memory.learn();
    expect(await memory.find('a')).toMatchObject({ accepted: 1 });
    expect(await memory.find('b')).toBeUndefined();
    // Whoever asked for it has sent it in since.
    put('b', clock.now);
    expect(await memory.find('b')).toMatchObject({ accepted: 1 });
  });

  it('RM1: hears of what a host has stored whose clock was ahead', async () => {
    const { clock, open, put } = await setUp();
    put('of the future', clock.now + 10 * MINUTE);
    put('of tomorrow', clock.now + DAY);
    const memory = open();
    await memory.learn();
    expect(await memory.find('of the future')).toMatchObject({ accepted: 1 });
    expect(await memory.find('of tomorrow')).toMatchObject({ accepted: 1 });
  });

  it('M9: a new key costs a read of the store as often as the filter errs, and no more', async () => {
    const { clock, open, put } = await setUp();
    for (let i = 0; i < 3_000; i++) put(`old ${i}`, clock.now - i * 1_000);
    const memory = open();
    await memory.learn();
    for (let i = 0; i < 5_000; i++) expect(await memory.find(`new ${i}`)).toBeUndefined();
    // One in a hundred of a filter that is full; there are two of them here.
    expect(memory.counts).toMatchObject({ lookups: 5_000, known: 0, complete: true });
    expect(memory.counts.storeReads).toBeLessThan(150);
  });

  it('M9: with a filter that says "maybe" to all it is right as well, at one read each', async () => {
    const { clock, open, put } = await setUp();
    for (let i = 0; i < 50; i++) put(`old ${i}`, clock.now);
    const memory = open({ add: () => undefined, mayKnow: () => true, bytes: 0 });
    await memory.learn();
    for (let i = 0; i < 50; i++) {
      expect(await memory.find(`old ${i}`)).toMatchObject({ accepted: 1 });
      expect(await memory.find(`new ${i}`)).toBeUndefined();
    }
    expect(memory.counts).toMatchObject({ lookups: 100, storeReads: 100, known: 50 });
  });

  it('M9: the filter is not trusted before it was rebuilt: while that takes its time, duplicates are caught', async () => {
    const { paged, clock, open, put } = await setUp();
    for (let i = 0; i < 50; i++) put(`old ${i}`, clock.now - i * MINUTE);
    const range = paged.range.bind(paged);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isHeld = false;
    paged.range = async (...args) => {
      isHeld = true;
      await held;
      return range(...args);
    };
    const memory = open();
    const learning = memory.learn();
    expect(isHeld).toBe(true);
    for (let i = 0; i < 50; i++) expect(await memory.find(`old ${i}`)).toMatchObject({ accepted: 1 });
    expect(memory.counts).toMatchObject({ storeReads: 50, complete: false });
    go();
    await learning;
    expect(memory.counts.complete).toBe(true);
    for (let i = 0; i < 50; i++) expect(await memory.find(`old ${i}`)).toMatchObject({ accepted: 1 });
  });

  it('M9: the control: a filter that is trusted before it was rebuilt takes a duplicate for a new request', async () => {
    const { paged, clock, open, put } = await setUp();
    put('old', clock.now);
    const memory = open();
    const isEmpty = paged.isEmpty.bind(paged);
    paged.isEmpty = () => true;
    await memory.learn();
    paged.isEmpty = isEmpty;
    expect(memory.counts.complete).toBe(true);
    expect(await memory.find('old')).toBeUndefined();
  });

  it('M10: in an hour of steady load what is remembered stays as much as its time holds', async () => {
    const { paged, clock, put } = await setUp();
    const keepMs = 10 * MINUTE;
    const memory = new RememberedRequests({ paged, node: 3, keepMs, now: () => clock.now });
    await memory.learn();
    const sizes: number[] = [];
    const filters: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      for (let i = 0; i < 20; i++) {
        await memory.find(`${minute}-${i}`);
        put(`${minute}-${i}`, clock.now + i);
      }
      clock.now += MINUTE;
      await memory.forget();
      sizes.push((await paged.range(spaceOf(3, 'requests'), new Uint8Array(0), undefined)).length);
      filters.push(memory.counts.filterBytes);
    }
    expect(Math.max(...sizes.slice(15))).toBeLessThanOrEqual(12 * 20);
    expect(Math.min(...sizes.slice(15))).toBeGreaterThanOrEqual(10 * 20);
    expect(filters.at(-1)).toBeLessThanOrEqual(2 * (filters[15] as number));
    expect(await memory.find('59-3')).toMatchObject({ accepted: 1 });
    expect(await memory.find('10-3')).toBeUndefined();
  });

  it('forgets what is older than it keeps, and not a key that came again since', async () => {
    const { paged, clock, open, put } = await setUp();
    const count = async (kind: 'requests' | 'requestTimes') =>
      (await paged.range(spaceOf(3, kind), new Uint8Array(0), undefined)).length;
    put('old', clock.now - DAY - 2 * MINUTE);
    put('again', clock.now - DAY - 2 * MINUTE);
    put('again', clock.now - MINUTE);
    put('young', clock.now);
    const memory = open();
    await memory.forget();
    expect([await count('requests'), await count('requestTimes')]).toEqual([2, 2]);
    expect(await memory.find('again')).toMatchObject({ since: clock.now - MINUTE });
    expect(await memory.find('old')).toBeUndefined();
  });
});

describe('KeyFilter', () => {
  it('KF1: knows every key that was added within its time, and few others', () => {
    const filter = new KeyFilter(DAY);
    for (let i = 0; i < 100_000; i++) filter.add(`k${i}`, i);
    for (let i = 0; i < 100_000; i++) if (!filter.mayKnow(`k${i}`)) throw new Error(`k${i} is lost`);
    let wrong = 0;
    for (let i = 0; i < 10_000; i++) if (filter.mayKnow(`other ${i}`)) wrong++;
    expect(wrong).toBeLessThan(600);
  });

  it('drops what is older than its time, so that its memory stays bounded', () => {
    const filter = new KeyFilter(1_000);
    for (let i = 0; i < 50_000; i++) filter.add(`k${i}`, i);
    expect(filter.bytes).toBeLessThan(100_000);
    expect(filter.mayKnow('k49999')).toBe(true);
  });
});
