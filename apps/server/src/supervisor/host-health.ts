/**
 * Whether an engine host hangs: it has run for long and answered no ping. One that is given no processor is waited for
 * longer, and what it could not say while this process itself did not run does not count.
 */
import { Looks, Silence, type SilenceLimits } from '@millrace/engine';

export const PING_MS = 2_000;
/** A look that is later than this was kept from coming. */
const LONGEST_LOOK_MS = 2 * PING_MS;
const LIMITS: SilenceLimits = { ownMs: 10_000, wallMs: 60_000 };

export class HostHealth {
  readonly #now: () => number;
  readonly #silence: Silence;
  readonly #looks: Looks;

  /** `spentMs`: processor time of the host since it began. */
  constructor(now: () => number, spentMs: () => number | undefined) {
    this.#now = now;
    this.#silence = new Silence(now, spentMs);
    this.#looks = new Looks(now(), LONGEST_LOOK_MS);
  }

  heard(): void {
    this.#silence.heard();
  }

  /** Asked every `PING_MS`. */
  hangs(): boolean {
    this.#silence.excuse(this.#looks.pauseBefore(this.#now()));
    return this.#silence.judge(LIMITS) !== 'patience';
  }
}
