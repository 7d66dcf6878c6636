/** What is read of a running pipeline, for whoever shows it; nothing is decided by it. */
import type { RunPlan } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import { outputOfSenders } from '../watermark/output-of-senders.ts';
import { BusiestKeys } from './busiest-keys.ts';
import { BusyMeter } from './busy-meter.ts';
import { CommitMeter } from './commit-meter.ts';
import { LatencyMeter, type Quantiles } from './latency-meter.ts';
import type { Recovered } from './recovery.ts';
import type { SkewGate } from './skew-gate.ts';

export class RunFigures {
  workers: number;
  readonly busy: BusyMeter;
  readonly keys: BusiestKeys;
  readonly commits = new CommitMeter();
  readonly #latencies = new LatencyMeter();
  /** Plan index by the end of a node's meta keys; of sinks the target's word counts, not the worker's. */
  readonly #byNumber: ReadonlyMap<string, number>;
  readonly #plan: RunPlan;
  readonly #recovered: Recovered;
  readonly #authority: WatermarkAuthority;
  readonly #skew: SkewGate;

  constructor(
    plan: RunPlan,
    recovered: Recovered,
    authority: WatermarkAuthority,
    workers: number,
    skew: SkewGate,
  ) {
    this.#plan = plan;
    this.#recovered = recovered;
    this.#authority = authority;
    this.#skew = skew;
    this.workers = workers;
    this.busy = new BusyMeter(plan.nodes.length);
    this.keys = new BusiestKeys(plan.nodes.length);
    this.#byNumber = new Map(
      plan.nodes
        .filter(({ kind }) => kind !== 'sink')
        .map(({ index }) => [String(recovered.nodeNumbers[index]), index]),
    );
  }

  /** A node's watermark over all workers; a sink has what its senders have promised it. */
  watermarkOf(index: number): Watermark {
    const overall = (node: number) => this.#authority.overall(node);
    return this.#plan.nodes[index]?.kind === 'sink'
      ? outputOfSenders(this.#plan, index, overall)
      : overall(index);
  }

  /** A count of a bundle is committed whose oldest input came in at `origin`: that node has done something. */
  counted(metaKey: string, origin: number, now: number): void {
    if (!metaKey.startsWith('counters/')) return;
    const node = this.#byNumber.get(metaKey.slice(metaKey.lastIndexOf('/') + 1));
    if (node !== undefined) this.#latencies.took(node, now - origin, now);
  }

  /** A sink has written what bundles of these origins made for it. */
  wrote(node: number, origins: readonly number[], now: number): void {
    for (const origin of origins) this.#latencies.took(node, now - origin, now);
  }

  /** From a record's arrival at an injector until this node's work on it was committed, lately. */
  latencyOf(node: number, now: number): Quantiles | undefined {
    return this.#latencies.of(node, now);
  }

  /** Records committed for a node and not taken by it. */
  backlogOf(node: number): number {
    return this.#recovered.deliveries.pendingOf(node);
  }

  /** Records of a stream that are committed and not taken by their consumer. */
  inFlightOf(stream: number): number {
    return this.#recovered.deliveries.inFlightOf(stream);
  }

  /** W10: how far an injector that waits for slower ones is ahead, in ms. */
  aheadOf(node: number): number | undefined {
    return this.#skew.aheadMs(node);
  }

  /** W11: wall time since which a node has had committed work it has not taken. */
  workSince(node: number): number | undefined {
    return this.#recovered.deliveries.oldestOf(node);
  }

  /** Log position of the last commit. */
  get position(): number {
    return this.#recovered.paged.through;
  }

  get unfoldedBytes(): number {
    return this.#recovered.paged.unfoldedBytes;
  }
}
