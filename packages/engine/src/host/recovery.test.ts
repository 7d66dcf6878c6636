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
  it('W3: starts every new interval at the least that an old one had come to', async () => {
    const store = new MemoryStore();
    const { paged } = await recover(store, plan, () => 0);
    const w = new ByteWriter();
    for (const [slot, value] of [
      { in: 10, out: 7 },
      { in: 4, out: 9 },
    ].entries()) {
      encodeValue(w, value);
      paged.putMeta(metaKeys.watermarks(slot, 1), w.take());
    }
    await changeSlots(paged, [1], 2, 3);
    for (let slot = 0; slot < 3; slot++) {
      const bytes = (await paged.get(META_SPACE, metaKeys.watermarks(slot, 1))) as Uint8Array;
      expect(decodeValue(new ByteReader(bytes))).toEqual({ in: 4, out: 7 });
    }
  });
});
