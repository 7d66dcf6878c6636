/**
 * Whether an engine host hangs: it has run for long and answered no ping. One that is given no processor is waited for
 * longer, and what it could not say while this process itself did not run does not count.
 */
import { Silence, type SilenceLimits } from '@millrace/engine';

export const PING_MS = 2_000;
/** A look that is later than this was kept from coming. */
const LONGEST_LOOK_MS = 2 * PING_MS;
const LIMITS: SilenceLimits = { ownMs: 10_000, wallMs: 60_000 };

export class HostHealth {
  readonly #now: () => number;
  readonly #silence: Silence;
  #lookedAt: number;

  /** `spentMs`: processor time of the host since it began. */
  constructor(now: () => number, spentMs: () => number | undefined) {
    this.#now = now;
    this.#silence = new Silence(now, spentMs);
    this.#lookedAt = now();
  }

  heard(): void {
    this.#silence.heard();
  }

  /** Asked every `PING_MS`. */
  hangs(): boolean {
    const since = this.#now() - this.#lookedAt;
    this.#lookedAt = this.#now();
    if (since > LONGEST_LOOK_MS) this.#silence.excuse(since);
    return this.#silence.judge(LIMITS) !== 'patience';
  }
}
