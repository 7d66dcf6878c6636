/**
 * Who wants to redrive dead letters of one pipeline, and the run they are given: the one that goes on anyway, or one
 * that is started for letters alone (NS4).
 *
 * Owns: who waits, and whether anybody still needs that run. Does not own: starting and ending it.
 */
import type { PipelineRun } from '@millrace/engine';
import { Refusal } from '../requests/request-context.ts';
import type { Running, Step, Wish } from './next-step.ts';

interface Waiting {
  give(run: PipelineRun): void;
  refuse(why: Refusal): void;
}

/** A run for letters alone is kept for so long behind them: a group goes on a piece at a time, and a start is dear. */
const KEPT_MS = 2_000;

export class RunsForLetters {
  readonly #changed: () => void;
  readonly #waiting = new Set<Waiting>();
  #users = 0;
  #isClosed = false;

  /** `changed`: what is wanted is. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get wanted(): boolean {
    return this.#users > 0;
  }

  async during<T>(work: (run: PipelineRun) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw refusal('The engine is being stopped: try once more in a moment.');
    this.#users++;
    try {
      return await work(await this.#given());
    } finally {
      setTimeout(() => {
        this.#users--;
        this.#changed();
      }, KEPT_MS).unref();
    }
  }

  /** After each step: gives those who wait their run, or says why there is none. */
  look(
    active: { readonly run: PipelineRun; readonly facts: Running; readonly isUp: boolean } | undefined,
    wish: Wish,
    step: Step,
  ): void {
    if (active === undefined) {
      if (step.kind === 'wait' || step.kind === 'settle' || step.kind === 'quarantine')
        this.#refuse(whyNone(wish, step));
      return;
    }
    const { run, facts, isUp } = active;
    if (
      facts.mode === 'redrive'
        ? facts.asked === 'abort'
        : facts.asked !== 'nothing' || facts.mode === 'finish'
    )
      this.#refuse('The pipeline is being stopped or deployed: try again when that is done.');
    // One for letters that ends is followed by another one, for those who wait.
    else if (isUp && facts.asked === 'nothing' && step.kind !== 'drain') this.#give(run);
  }

  close(): void {
    this.#isClosed = true;
    this.#refuse('The engine is being stopped: try once more in a moment.');
  }

  #given(): Promise<PipelineRun> {
    return new Promise((give, refuse) => {
      this.#waiting.add({ give, refuse });
      this.#changed();
    });
  }

  #give(run: PipelineRun): void {
    for (const waiting of this.#waiting) waiting.give(run);
    this.#waiting.clear();
  }

  #refuse(why: string): void {
    for (const waiting of this.#waiting) waiting.refuse(refusal(why));
    this.#waiting.clear();
  }
}

function whyNone({ version, abandon, desired }: Wish, { kind }: Step): string {
  if (desired === 'stopped' && abandon)
    return 'The pipeline was ended at once, with records in flight: start it, so that those go on first.';
  if (kind === 'settle')
    return `The pipeline is stopped, and version ${version} has not run yet: start it, then redrive.`;
  return 'The pipeline has failed: see why, and start it again to redrive.';
}

const refusal = (why: string): Refusal => new Refusal('not-running', why);
