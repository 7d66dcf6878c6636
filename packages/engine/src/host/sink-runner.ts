/**
 * Hands one sink its committed rows, in log order. The sink writes rows and mark together (P7), so after any
 * stop it goes on at its own mark.
 */
import type { Egress, OpenSink } from '../ports.ts';
import { type Deliveries, type Delivery, sinkTarget } from './deliveries.ts';
import { rowsOf, textsOf } from './rows-of-deliveries.ts';

export interface SinkRunnerOptions {
  readonly node: number;
  readonly egress: Egress;
  /** Id of a stream by plan index. */
  readonly streamId: (stream: number) => string | undefined;
  readonly open: () => Promise<OpenSink>;
  readonly deliveries: Deliveries;
  /** `origins`: when the oldest input came in of the bundles that made what was written. */
  readonly delivered: (origins: readonly number[]) => void;
  readonly failed: (error: Error) => void;
}

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 10_000;

export class SinkRunner {
  readonly #options: SinkRunnerOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  #failed = false;
  #sink: OpenSink | undefined;

  constructor(options: SinkRunnerOptions) {
    this.#options = options;
  }

  /** Opens the sink. A run does so before anything flows; a drain only for a sink that is given something. */
  async begin(): Promise<OpenSink> {
    if (this.#sink === undefined) {
      this.#sink = await this.#options.open();
      this.#options.deliveries.acknowledge(sinkTarget(this.#options.node), this.#sink.through);
    }
    return this.#sink;
  }

  /** New rows are committed. */
  kick(): void {
    if (this.#failed || this.#abort.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#options.deliveries.isEmpty(sinkTarget(this.#options.node))) this.kick();
    });
  }

  get idle(): boolean {
    return this.#running === undefined && this.#options.deliveries.isEmpty(sinkTarget(this.#options.node));
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#sink?.close();
  }

  async #run(): Promise<void> {
    const { deliveries, node } = this.#options;
    const target = sinkTarget(node);
    try {
      if (deliveries.isEmpty(target)) return;
      const sink = await this.begin();
      for (;;) {
        const taken = this.#take(target);
        const last = taken.at(-1);
        if (last === undefined || this.#abort.signal.aborted) return;
        const { egress, streamId } = this.#options;
        const what =
          egress === 'text' ? { rows: [], texts: textsOf(taken) } : { rows: rowsOf(taken, streamId) };
        await sink.deliver({ ...what, through: last.position }, this.#abort.signal);
        if (this.#abort.signal.aborted) return;
        deliveries.acknowledge(target, last.position);
        this.#options.delivered(taken.map(({ origin }) => origin));
      }
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#failed = true;
      this.#options.failed(error as Error);
    }
  }

  #take(target: number): Delivery[] {
    const taken: Delivery[] = [];
    let bytes = 0;
    let rows = 0;
    this.#options.deliveries.untake(target);
    while (bytes < MOST_BYTES && rows < MOST_ROWS) {
      const delivery = this.#options.deliveries.take(target);
      if (delivery === undefined) break;
      taken.push(delivery);
      bytes += delivery.bytes;
      for (const batch of delivery.batches) rows += batch.count;
    }
    return taken;
  }
}
