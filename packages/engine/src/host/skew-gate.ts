/** Which injectors wait for slower ones at this moment (W10, `skew-cap`). */
import type { RunPlan } from '@millrace/graph';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import { type Capped, cappedInjectors, waitingForOthers } from '../watermark/skew-cap.ts';
import { skewCapOf } from './ingest-settings.ts';

export class SkewGate {
  readonly #capped: readonly Capped[];
  readonly #authority: WatermarkAuthority;
  /** By plan index: how far ahead it is, in ms. */
  #waiting: ReadonlyMap<number, number> = new Map();

  constructor(plan: RunPlan, authority: WatermarkAuthority) {
    this.#capped = cappedInjectors(plan, skewCapOf);
    this.#authority = authority;
  }

  /** Looks again; true when another injector waits, or one no longer does. */
  look(): boolean {
    if (this.#capped.length === 0) return false;
    const before = this.#waiting;
    this.#waiting = waitingForOthers(this.#capped, (node) => this.#authority.overall(node));
    return before.size !== this.#waiting.size || [...this.#waiting.keys()].some((node) => !before.has(node));
  }

  waits(node: number): boolean {
    return this.#waiting.has(node);
  }

  /** How far ahead of the slowest an injector is that waits, in ms; undefined where it does not wait. */
  aheadMs(node: number): number | undefined {
    return this.#waiting.get(node);
  }
}
