import {
  BundleBodyWriter,
  ByteReader,
  ByteWriter,
  decodeValue,
  encodeValue,
  META_SPACE,
  metaKeys,
  readBundleBody,
  SINK_SLOT,
} from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { sinkTarget, slotTarget } from './deliveries.ts';
import { FoldLoop } from './fold-loop.ts';
import { numberBytes, recover } from './recovery.ts';
import { changeSlots } from './slot-change.ts';

const plan = planOf(
  [
    { id: 'n_a', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [{ from: 'n_a', to: 'n_out' }],
);

async function committed(store: MemoryStore, position: number, write: (body: BundleBodyWriter) => void) {
  const writer = new BundleBodyWriter();
  write(writer);
  const body = writer.take();
  const sequencer = await store.claimWorker(0);
  await store.commit([{ position, slot: 0, sequencer, bundleNumber: 1, body }]);
  return readBundleBody(body);
}

const toBoth = (body: BundleBodyWriter) => {
  body.batch({ node: 0, stream: 0, slot: 0, count: 1, bytes: Uint8Array.of(1) });
  body.batch({ node: 1, stream: 0, slot: SINK_SLOT, count: 1, bytes: Uint8Array.of(2) });
};

describe('recovery', () => {
  it('Y5: takes up folded pages, the log behind them and what was not delivered', async () => {
    const store = new MemoryStore();
    await committed(store, 1, (body) => {
      body.put(META_SPACE, metaKeys.delivered(0), numberBytes(1));
      toBoth(body);
    });
    await committed(store, 2, toBoth);
    const first = await recover(store, plan, () => 0);
    first.paged.putMeta(metaKeys.workers(), numberBytes(1));
    expect(first.lastPosition).toBe(2);
    // The mark of worker 0 says that it has taken position 1.
    expect(first.deliveries.take(slotTarget(0))?.position).toBe(2);
    const loop = new FoldLoop({
      store,
      paged: first.paged,
      deliveries: first.deliveries,
      hostSequencer: first.hostSequencer,
      failed: (error) => {
        throw new Error(error);
      },
      folded: () => undefined,
    });
    await loop.close(true);
    expect(first.paged.hasPending).toBe(false);

    const second = await recover(store, plan, () => 0);
    expect([second.slots, second.hostSequencer]).toEqual([1, first.hostSequencer + 1]);
    expect(second.deliveries.take(slotTarget(0))?.position).toBe(2);
    expect([1, 2].map(() => second.deliveries.take(sinkTarget(1))?.position)).toEqual([1, 2]);
    expect(second.nodeNumbers).toEqual(first.nodeNumbers);
  });

  it('a node that was absent from a version has no watermark left when it comes back', async () => {
    const store = new MemoryStore();
    const first = await recover(store, plan, () => 0);
    const [number = 0] = first.nodeNumbers;
    for (const slot of [0, 1]) first.paged.putMeta(metaKeys.watermarks(slot, number), numberBytes(9));
    const nothing = { undelivered: [], delivered: [] };
    await first.paged.fold(first.hostSequencer, nothing, 0);
    const kept = await recover(store, plan, () => 0);
    expect(await kept.paged.get(META_SPACE, metaKeys.watermarks(1, number))).toBeDefined();
    const without = await recover(store, planOf([{ id: 'n_out', kind: 'sink' }], []), () => 0);
    await without.paged.fold(without.hostSequencer, nothing, 0);
    const back = await recover(store, plan, () => 0);
    expect(back.nodeNumbers).toEqual(first.nodeNumbers);
    for (const slot of [0, 1])
      expect(await back.paged.get(META_SPACE, metaKeys.watermarks(slot, number))).toBeUndefined();
  });

  it('G1: a node keeps its number for ever, whatever the plan becomes, and numbers are not used again', async () => {
    const store = new MemoryStore();
    const first = await recover(store, plan, () => 0);
    await first.paged.fold(first.hostSequencer, { undelivered: [], delivered: [] }, 0);
    const other = planOf(
      [
        { id: 'n_new', kind: 'computation' },
        { id: 'n_a', kind: 'computation' },
      ],
      [],
    );
    const [fresh, same] = (await recover(store, other, () => 0)).nodeNumbers;
    expect(same).toBe(first.nodeNumbers[0]);
    expect(first.nodeNumbers).not.toContain(fresh);
  });

  it('P6: a host that was replaced cannot fold', async () => {
    const store = new MemoryStore();
    const old = await recover(store, plan, () => 0);
    await recover(store, plan, () => 0);
    const { paged, deliveries, hostSequencer } = old;
    const loop = new FoldLoop({
      store,
      paged,
      deliveries,
      hostSequencer,
      failed: () => undefined,
      folded: () => undefined,
    });
    await expect(loop.close(true)).rejects.toThrow('another host');
  });
});

describe('a change of the number of workers', () => {
  it('SC1, SC2: new slots promise what the slowest had promised, and have heard what any had heard', async () => {
    const slow = { in: 4, out: 3, kind: 'at' };
    const quick = { in: 10, out: 9, kind: 'at' };
    expect(await afterChange([quick, slow])).toEqual({ in: 10, out: 3, kind: 'at' });
    expect(await afterChange([{ ...slow, kind: 'idle' }, quick])).toEqual(quick);
    expect(
      await afterChange([
        { ...slow, kind: 'ended' },
        { ...quick, kind: 'ended' },
      ]),
    ).toEqual(quick);
  });

  it('SC1: promises nothing while an old slot had promised nothing', async () => {
    const quick = { in: 10, out: 9, kind: 'at' };
    const nothing = { in: 10, out: undefined, kind: 'not-yet' };
    expect(await afterChange([quick, undefined])).toEqual(nothing);
    expect(await afterChange([{ kind: 'not-yet' }, quick])).toEqual(nothing);
  });

  /** What three slots start with behind two that had come so far. */
  async function afterChange(old: readonly unknown[]): Promise<unknown> {
    const { paged } = await recover(new MemoryStore(), plan, () => 0);
    for (const [slot, value] of old.entries()) {
      if (value === undefined) continue;
      const w = new ByteWriter();
      encodeValue(w, value);
      paged.putMeta(metaKeys.watermarks(slot, 1), w.take());
    }
    await changeSlots(paged, [1], 2, 3);
    const found = [0, 1, 2].map((slot) => paged.get(META_SPACE, metaKeys.watermarks(slot, 1)));
    const [first, ...others] = (await Promise.all(found)).map((bytes) =>
      decodeValue(new ByteReader(bytes as Uint8Array)),
    );
    for (const other of others) expect(other).toEqual(first);
    return first;
  }
});
