/**
 * Decides, from how workers of one slot died, how the next one starts and which input must not run again (P8).
 *
 * The first death while user code ran says nothing about the input, so the next worker reports every input
 * before it runs. A worker that dies of its own doing (time, a crash) then names the culprit. A death from outside
 * (SIGKILL) proves nothing; one for want of memory little, since another input may have filled it, and so does a long
 * silence in which it was given no processor: only the same input twice does.
 */
import type { WorkerDeath } from './worker-link.ts';

export interface StartMode {
  readonly careful: boolean;
  readonly poison: Readonly<Record<string, string>>;
}

export type Verdict =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly reason: string };

const MOST_DEATHS = 30;

export class WorkerHealth {
  #careful: boolean;
  readonly #poison = new Map<string, string>();
  readonly #deathsAt = new Map<string, number>();
  #deaths = 0;

  /** `careful`: the worker names every input before it runs, the first one included. */
  constructor(careful = false) {
    this.#careful = careful;
  }

  /** It is known to end workers. */
  condemn(input: string, reason: string): void {
    this.#poison.set(input, reason);
  }

  get startMode(): StartMode {
    return { careful: this.#careful || this.#poison.size > 0, poison: Object.fromEntries(this.#poison) };
  }

  /** The worker has committed enough to be past what killed its predecessors. */
  recovered(): void {
    this.#careful = false;
    this.#deaths = 0;
    this.#deathsAt.clear();
    this.#poison.clear();
  }

  died(death: WorkerDeath): Verdict {
    this.#deaths++;
    if (this.#deaths > MOST_DEATHS)
      return {
        kind: 'give-up',
        reason: `its worker died ${this.#deaths} times in a row: ${describeDeath(death)}`,
      };
    if (!death.busy) return { kind: 'restart', delayMs: this.#deaths > 3 ? 200 : 0 };
    const { lastInput } = death;
    if (this.#careful && lastInput !== undefined) {
      const times = (this.#deathsAt.get(lastInput) ?? 0) + 1;
      this.#deathsAt.set(lastInput, times);
      if (times >= 2 || provesGuilt(death))
        this.#poison.set(
          lastInput,
          `the input was set aside because it ended its worker: ${describeDeath(death)}`,
        );
    }
    this.#careful = true;
    return { kind: 'restart', delayMs: this.#deaths > 3 ? 200 : 0 };
  }
}

/** It ended over what it was running, not by a hand from outside. */
export function ownDoing({ exit, killedFor }: Pick<WorkerDeath, 'exit' | 'killedFor'>): boolean {
  return killedFor !== undefined || exit.signal !== 'SIGKILL';
}

function provesGuilt(death: WorkerDeath): boolean {
  return ownDoing(death) && !death.isDoubtful && !MEMORY.test(describeDeath(death));
}

const MEMORY = /heap|out of memory|allocation|memory/i;

export function describeDeath({ exit, killedFor }: WorkerDeath): string {
  if (killedFor !== undefined) return killedFor;
  const how = exit.signal === null ? `it ended with code ${exit.code}` : `it ended with ${exit.signal}`;
  const memory = MEMORY.test(exit.stderr) ? ' (out of memory)' : '';
  return `${how}${memory}`;
}
