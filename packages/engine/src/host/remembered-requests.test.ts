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
import { RememberedRequests } from './remembered-requests.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function setUp() {
  const paged = await PagedStore.open(new MemoryStore());
  const clock = { now: 1_700_000_000_000 };
  const open = () => new RememberedRequests({ paged, node: 3, keepMs: DAY, now: () => clock.now });
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

  it('does not read the store for a key nobody sent', async () => {
    const { paged, clock, open, put } = await setUp();
    put('a', clock.now);
    const memory = open();
    await memory.learn();
    let reads = 0;
    const get = paged.get.bind(paged);
    paged.get = (...args) => {
      reads++;
      return get(...args);
    };
    for (let i = 0; i < 1_000; i++) await memory.find(`key ${i}`);
    expect(reads).toBeLessThan(30);
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
