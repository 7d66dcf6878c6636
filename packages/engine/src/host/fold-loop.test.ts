import { BundleBodyWriter, META_SPACE, metaKeys, readBundleBody, SINK_SLOT } from '@millrace/protocol';
import { expect, it, vi } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { Deliveries, sinkTarget } from './deliveries.ts';
import { FoldLoop } from './fold-loop.ts';
import { PagedStore } from './paged/paged-store.ts';
import { readNumber } from './recovery.ts';

it('P6: a fold that finds the host replaced says that it was fenced, not that the store is at fault', async () => {
  const store = new MemoryStore();
  const hostSequencer = await store.claimHost();
  const paged = await PagedStore.open(store);
  const failed = vi.fn();
  const options = { store, paged, deliveries: new Deliveries(), hostSequencer, everyMs: 0, failed };
  const folds = new FoldLoop({ ...options, folded: () => undefined });
  paged.putMeta(metaKeys.workers(), new Uint8Array(8));
  await store.claimHost();
  folds.consider();
  await vi.waitFor(() => expect(failed).toHaveBeenCalled());
  expect(failed.mock.calls).toEqual([[expect.stringMatching(/^another host has taken over/), 'fenced']]);
});

it.each([
  [1, 'in the log'],
  [2, 'saved as a row'],
])(
  'Y6: a run that ends leaves no delivered batch for a start under another plan: after %i folds it is %s',
  async (rounds) => {
    const store = new MemoryStore();
    const hostSequencer = await store.claimHost();
    const sequencer = await store.claimWorker(0);
    const paged = await PagedStore.open(store);
    const deliveries = new Deliveries();
    const folded = vi.fn();
    const folds = new FoldLoop({
      store,
      paged,
      deliveries,
      hostSequencer,
      everyMs: 0,
      failed: (error) => expect.fail(error),
      folded,
    });

    const writer = new BundleBodyWriter();
    writer.batch({ node: 3, stream: 0, slot: SINK_SLOT, count: 1, bytes: new Uint8Array(4) });
    writer.put(META_SPACE, metaKeys.delivered(0), new Uint8Array(8));
    const body = readBundleBody(writer.take());
    await store.commit([{ position: 1, slot: 0, sequencer, bundleNumber: 1, body: body.bytes }]);
    paged.apply(1, body);
    deliveries.add(1, body.batches, 0);
    // The last fold comes while the sink is still at work, and nothing is committed after it.
    for (let round = 1; round <= rounds; round++) {
      paged.putMeta(metaKeys.workers(), new Uint8Array(8));
      folds.consider();
      await vi.waitFor(() => expect(folded).toHaveBeenCalledTimes(round));
    }
    expect(await store.undelivered()).toHaveLength(rounds - 1);
    expect(paged.hasPending).toBe(false);
    deliveries.acknowledge(sinkTarget(3), 1);
    await folds.close(true);

    const after = await PagedStore.open(store);
    expect(readNumber(await after.get(META_SPACE, metaKeys.released()))).toBe(1);
    expect(await store.undelivered()).toEqual([]);
  },
);
