import { BundleBodyWriter, META_SPACE, metaKeys } from '@millrace/protocol';
import { expect, it } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { planOf } from '../testing/plans.ts';
import { slotTarget } from './deliveries.ts';
import { numberBytes, recover } from './recovery.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_a' }],
);

it('DV2: what a worker slot has taken is not waiting after a restart, also when that slot is no more', async () => {
  const store = new MemoryStore();
  const bundle = async (bundleNumber: number, make: (body: BundleBodyWriter) => void): Promise<void> => {
    const body = new BundleBodyWriter();
    make(body);
    await store.commit([{ position: bundleNumber, slot: 0, sequencer, bundleNumber, body: body.take() }]);
  };
  const sequencer = await store.claimWorker(0);
  const batch = { node: 1, stream: 0, count: 1, bytes: new Uint8Array(8) };
  await bundle(1, (body) => {
    body.batch({ ...batch, slot: 2 });
    body.batch({ ...batch, slot: 1 });
  });
  await bundle(2, (body) => body.put(META_SPACE, metaKeys.delivered(2), numberBytes(1)));
  await bundle(3, (body) => body.put(META_SPACE, metaKeys.workers(), numberBytes(2)));

  const { deliveries, slots } = await recover(store, plan, () => 0);
  expect(slots).toBe(2);
  expect(deliveries.isEmpty(slotTarget(2))).toBe(true);
  expect(deliveries.isEmpty(slotTarget(1))).toBe(false);
  expect(deliveries.oldestInLog).toBe(1);
});
