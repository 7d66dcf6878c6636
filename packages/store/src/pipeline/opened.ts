/** What every part of a pipeline's store works on. */
import type { Connections } from '../sql/connections.ts';

/** Deliberate breakage, reachable from tests only. */
export interface Faults {
  /** Negative control of P6: the commit reads the lease without locking it, which lets a zombie through. */
  readonly unlockedSequencerCheck?: boolean;
  /** Negative control of RV1: the letters go in a transaction of their own, behind the deliveries. */
  readonly splitRedrive?: boolean;
  /** Small segments, so that a short run rotates and truncates them too. */
  readonly segmentBytes?: number | undefined;
}

export interface OpenedPipeline {
  readonly id: string;
  readonly number: number;
  readonly connections: Connections;
  readonly faults: Faults;
  /** Segment that new bundles go to. Only a hint for balance: reading looks at every segment. */
  segment: number;
  /** Of this host's claim, or undefined before it claimed. */
  hostSequencer: number | undefined;
}

export const HOST_SLOT = -1;
