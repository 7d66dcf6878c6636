/**
 * Tells the host that the worker is alive, and, where a predecessor died in user code, what is about to run
 * (P8). The last thing heard of a worker that hangs is then the input it hangs in.
 */
import type { PlanNode } from '@millrace/graph';
import type { WorkerConfiguration } from '@millrace/protocol';
import type { AsyncTurns } from '@millrace/sdk/runtime';
import { type CallInput, inputIdentity } from './computation-stage.ts';

const PROGRESS_MS = 250;
const SHORT_CALL_MS = 2;
const MOST_CALLS = 8;
/** Behind so many bundles lies whatever ended the worker before; the host counts the same. */
const CAREFUL_BUNDLES = 64;

export class Care implements AsyncTurns {
  readonly #configuration: WorkerConfiguration;
  readonly #report: (input: string) => void;
  readonly #now: () => number;
  #lastProgress = 0;
  #untilProgress = 0;
  /** Calls since the clock was last read, and how many may pass: it costs as much as a short handler. */
  #calls = 0;
  #stride = 1;
  #lastLook = 0;
  /** The host takes an input for the one that runs. */
  #announced = false;
  #lastAnnounced = '';
  /** The `async` call that goes on by itself, whatever else runs in between. */
  #async: string | undefined;
  #carefulUntil = CAREFUL_BUNDLES;
  readonly #poison: Map<string, string>;
  /** Inputs are held: a condemned one may be among those that are let go later. */
  isHolding = false;

  constructor(configuration: WorkerConfiguration, report: (input: string) => void, now: () => number) {
    this.#configuration = configuration;
    this.#poison = new Map(Object.entries(configuration.poison));
    this.#report = report;
    this.#now = now;
  }

  /** The host has just heard of this worker, or will: a bundle begins, or the store has answered. */
  heard(): void {
    this.#lastProgress = this.#now();
  }

  /** The error means that the input must not run again. */
  beforeCall(node: PlanNode, input: CallInput, bundlesSent: number): Error | undefined {
    if (this.#careful(bundlesSent)) return this.#announce(inputIdentity(node.id, input));
    if (this.isHolding && this.#poison.size > 0) {
      const refusal = this.#refusal(inputIdentity(node.id, input));
      if (refusal !== undefined) return refusal;
    }
    if (++this.#calls < this.#stride) return undefined;
    return this.#look();
  }

  /** The same for a record of a source, whose expressions are user code, too. */
  beforeRecord(node: string, place: string, position: number, bundlesSent: number): Error | undefined {
    if (this.#careful(bundlesSent)) return this.#announce(`${node}|${place}@${position}`);
    // Reading the clock costs as much as a short expression.
    this.#untilProgress = (this.#untilProgress + 1) & 63;
    return this.#untilProgress === 0 ? this.#progress() : undefined;
  }

  /**
   * What is announced has run: a worker that dies from here on does not die of it, but of the `async` call in flight, if
   * there is one.
   */
  between(): void {
    if (!this.#announced) return;
    this.#announced = false;
    this.#report(this.#async ?? '');
  }

  get isFree(): boolean {
    return this.#async === undefined;
  }

  take(): void {
    if (this.#announced) this.#async = this.#lastAnnounced;
  }

  give(): void {
    if (this.#async === undefined) return;
    this.#async = undefined;
    this.#announced = true;
  }

  #careful(bundlesSent: number): boolean {
    return this.#configuration.careful && bundlesSent < this.#carefulUntil;
  }

  /** An input that ends workers: it will not run. */
  condemn(input: string, reason: string): void {
    this.#poison.set(input, reason);
  }

  /** What was held is let go untried. */
  begin(bundlesSent: number): void {
    this.#carefulUntil = bundlesSent + CAREFUL_BUNDLES;
  }

  #refusal(identity: string): Error | undefined {
    const reason = this.#poison.get(identity);
    return reason === undefined ? undefined : new Error(reason);
  }

  #announce(identity: string): Error | undefined {
    const refusal = this.#refusal(identity);
    if (refusal !== undefined) return refusal;
    this.#announced = true;
    this.#lastAnnounced = identity;
    this.#report(identity);
    return undefined;
  }

  /** Looks at the clock less often while calls are short; one slow call brings it back to every call. */
  #look(): undefined {
    const now = this.#now();
    const perCall = (now - this.#lastLook) / this.#calls;
    this.#stride = perCall > SHORT_CALL_MS ? 1 : Math.min(MOST_CALLS, this.#stride * 2);
    this.#lastLook = now;
    this.#calls = 0;
    return this.#progress();
  }

  #progress(): undefined {
    const now = this.#now();
    if (now - this.#lastProgress < PROGRESS_MS) return;
    this.#lastProgress = now;
    this.#report('');
  }
}
