/**
 * Operators one behind the other on the test kit: what one produces the next one gets, and its output watermark is
 * the next one's input watermark (W1). A step may change the key on the way.
 */

import type { Computation } from '../src/index.ts';
import { type Harness, harness, type OutputRecord } from '../src/testing/index.ts';

export interface ChainStep {
  readonly computation: Computation | (() => Computation);
  /** Key for the consumer of what comes in; default: as it is. */
  readonly keyBy?: ((key: string) => string) | undefined;
}

type Subject = Harness<Record<string, unknown>, Record<string, unknown>>;

export class OperatorChain {
  readonly outputs: OutputRecord[] = [];
  readonly #steps: readonly { readonly subject: Subject; readonly keyBy: (key: string) => string }[];
  readonly #seen: number[];

  constructor(steps: readonly ChainStep[]) {
    this.#steps = steps.map(({ computation, keyBy = (key) => key }) => ({
      subject: harness(computation, { isolated: false }) as unknown as Subject,
      keyBy,
    }));
    this.#seen = steps.map(() => 0);
  }

  record(record: OutputRecord): void {
    this.#deliver(0, record);
  }

  watermark(time: number): void {
    this.#steps[0]?.subject.watermark(time);
    this.#passOn(0);
  }

  wall(time: number): void {
    for (const [i, { subject }] of this.#steps.entries()) {
      subject.wall(time);
      this.#passOn(i);
    }
  }

  end(): void {
    for (const [i, { subject }] of this.#steps.entries()) {
      subject.end();
      this.#passOn(i, true);
    }
  }

  restart(): void {
    for (const { subject } of this.#steps) subject.restart();
  }

  /** Keys of which anything is stored, in any step. */
  keys(): readonly string[] {
    return this.#steps.flatMap(({ subject }) => subject.keys());
  }

  late(): number {
    return this.#steps.reduce((sum, { subject }) => sum + subject.counter('droppedLate'), 0);
  }

  #deliver(at: number, record: OutputRecord): void {
    const step = this.#steps[at];
    if (step === undefined) {
      this.outputs.push(record);
      return;
    }
    step.subject.record({ ...record, key: step.keyBy(record.key), stream: 'in' });
    this.#passOn(at);
  }

  #passOn(at: number, ended = false): void {
    const trace = this.#steps[at]?.subject.trace() ?? [];
    for (let i = this.#seen[at] ?? 0; i < trace.length; i++) {
      this.#seen[at] = i + 1;
      const event = trace[i]!;
      if (event.kind === 'output' && event.stream === 'out') this.#deliver(at + 1, event.record);
      if (event.kind === 'watermark' && Number.isFinite(event.time) && !ended) {
        this.#steps[at + 1]?.subject.watermark(event.time);
        this.#passOn(at + 1);
      }
    }
  }
}
