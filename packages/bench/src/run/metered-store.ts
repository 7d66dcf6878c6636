/** A pipeline's store that measures what the engine commits; everything passes through unchanged. */
import type { PipelineStore, SealedBundle } from '@millrace/engine';

export interface CommitMeter {
  bytes: number;
  bundles: number;
  readonly milliseconds: number[];
  /** The last bodies, for a peer that appends the same bytes. */
  readonly bodies: Uint8Array[];
}

const KEPT = 64;

export function metered(store: PipelineStore): {
  readonly store: PipelineStore;
  readonly meter: CommitMeter;
} {
  const meter: CommitMeter = { bytes: 0, bundles: 0, milliseconds: [], bodies: [] };
  const commit = async (bundles: readonly SealedBundle[]) => {
    const begun = performance.now();
    const outcomes = await store.commit(bundles);
    meter.milliseconds.push(performance.now() - begun);
    for (const { body } of bundles) {
      meter.bytes += body.length;
      meter.bundles++;
      meter.bodies[meter.bundles % KEPT] = body;
    }
    return outcomes;
  };
  return { store: { ...store, commit }, meter };
}
