/**
 * The connectors of one run: its injectors and sinks, opened and closed together, and which worker reads which
 * partition.
 *
 * Does not own: the reading (`source-runner`), marks of requests (`pushed-sources`), what sinks are given.
 */
import type { PlanNode } from '@millrace/graph';
import { decodeSourceMark, META_SPACE, metaKeys, type SourceAssignment } from '@millrace/protocol';
import type { OpenInjector, SourcePartition } from '../ports.ts';
import type { Counts } from './counts.ts';
import type { PushedSources } from './pushed-sources.ts';
import type { Recovered } from './recovery.ts';
import { countRejectedRows } from './rejected-rows.ts';
import type { LettersOnly, RunOptions } from './run-options.ts';
import { SinkRunner } from './sink-runner.ts';

export interface OpenConnectorsOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly counts: Counts;
  readonly slots: number;
  /** The slot whose worker reads a partition of an injector, by its index. */
  readonly readerOf: (partition: number) => number;
  /** Nothing is read, and a sink is opened only when it is given something. */
  readonly draining: boolean;
  /** As in a drain, but what was read is known: pieces of it may be redriven. */
  readonly lettersOnly: LettersOnly | undefined;
  readonly pushed: PushedSources;
  readonly isHeld: () => boolean;
  /** A sink has written rows. */
  readonly delivered: (node: number, origins: readonly number[]) => void;
  readonly failed: (error: Error) => void;
}

/** Of a partition that gives nothing. */
const NOTHING = '';

export class OpenConnectors {
  readonly #options: OpenConnectorsOptions;
  readonly #injectors = new Map<number, OpenInjector>();
  readonly #sinks: SinkRunner[] = [];
  #assignments: SourceAssignment[][];

  constructor(options: OpenConnectorsOptions) {
    this.#options = options;
    this.#assignments = Array.from({ length: options.slots }, () => []);
  }

  /** Partitions that the worker of a slot reads. */
  assignedTo(slot: number): readonly SourceAssignment[] {
    return this.#assignments[slot] ?? [];
  }

  /** Names of the partitions of an injector that the worker of a slot reads. */
  partitionsOf(node: number, slot: number): string[] {
    return this.assignedTo(slot).flatMap((assigned) => (assigned.node === node ? [assigned.name] : []));
  }

  /** The slot whose worker reads the partition of this name. */
  readerOf(node: number, name: string): number | undefined {
    const slot = this.#assignments.findIndex((assigned) =>
      assigned.some((partition) => partition.node === node && partition.name === name),
    );
    return slot < 0 ? undefined : slot;
  }

  /** There are so many workers now: who reads what is looked up anew. */
  resize(slots: number): void {
    const all = this.#assignments.flat();
    this.#assignments = Array.from({ length: slots }, () => []);
    for (const assigned of all) this.#assignments[this.#options.readerOf(assigned.partition)]?.push(assigned);
  }

  partition(node: number, index: number): SourcePartition | undefined {
    return this.#injectors.get(node)?.partitions[index];
  }

  async open(): Promise<void> {
    for (const node of this.#options.run.version.plan.nodes) {
      if (node.kind === 'sink') await this.#openSink(node);
      if (node.kind !== 'injector') continue;
      const { draining, lettersOnly } = this.#options;
      if (lettersOnly !== undefined) await this.#assignStored(node, lettersOnly);
      else if (draining) this.#assignNothing(node);
      else await this.#openInjector(node);
    }
  }

  /** Every part is closed, also behind one that fails; returns the first error. */
  async close(): Promise<unknown> {
    let first: unknown;
    for (const part of [...this.#sinks, ...this.#injectors.values()]) {
      try {
        await part.close();
      } catch (error) {
        first ??= error;
      }
    }
    return first;
  }

  /** Rows for sinks are committed. */
  kickSinks(): void {
    for (const sink of this.#sinks) sink.kick();
  }

  get sinksAreIdle(): boolean {
    return this.#sinks.every((sink) => sink.idle);
  }

  async #openInjector(node: PlanNode): Promise<void> {
    const { run, readerOf, pushed, isHeld } = this.#options;
    const connector = run.connectors.injector(node.type);
    if (connector === undefined)
      throw new Error(`node "${node.name}": there is no injector of type ${node.type} in this version`);
    const context = pushed.contextOf(node, run.connectorContext(node));
    const injector = await connector.open(node.config, context);
    this.#injectors.set(node.index, injector);
    pushed.watch(node, injector, isHeld());
    injector.partitions.forEach((partition, index) => {
      this.#assignments[readerOf(index)]?.push({ node: node.index, partition: index, name: partition.name });
    });
  }

  /**
   * A drain reads nothing, so it must not depend on what could be read. A partition that gives nothing stands for
   * all of an injector's: it holds the watermark where it is, so that no window fires because of a deploy.
   */
  #assignNothing(node: PlanNode, first = 0): void {
    for (const [slot, assigned] of this.#assignments.entries())
      assigned.push({ node: node.index, partition: first + slot, name: NOTHING });
  }

  /**
   * RV7: the partitions as they were left, of which nothing is opened: who reads a piece again must know the header of
   * its file. Where input may come yet, the one that gives nothing holds the watermark beside them; where all of it has
   * ended, those that did are all there are.
   */
  async #assignStored(node: PlanNode, { inputHasEnded }: LettersOnly): Promise<void> {
    const { recovered, slots } = this.#options;
    const prefix = metaKeys.source(recovered.nodeNumbers[node.index] as number, '');
    const [stored] = await recovered.paged.scan([
      { space: META_SPACE, prefix, limit: Number.MAX_SAFE_INTEGER },
    ]);
    const known = (stored?.entries ?? []).flatMap(({ key, value }) => {
      const name = Buffer.from(key.subarray(prefix.length)).toString('utf8');
      return name === NOTHING || (inputHasEnded && !decodeSourceMark(value).ended) ? [] : [name];
    });
    for (const [partition, name] of known.entries())
      this.#assignments[partition % slots]?.push({ node: node.index, partition, name });
    if (!inputHasEnded) this.#assignNothing(node, known.length);
  }

  async #openSink(node: PlanNode): Promise<void> {
    const { run, recovered, counts, draining, lettersOnly, delivered, failed } = this.#options;
    const connector = run.connectors.sink(node.type);
    if (connector === undefined)
      throw new Error(`node "${node.name}": there is no sink of type ${node.type} in this version`);
    if (connector.egress === 'none') return;
    const context = await countRejectedRows(run.sinkContext(node, recovered.hostSequencer), (total) =>
      counts.rejected(node.index, total),
    );
    const runner = new SinkRunner({
      node: node.index,
      egress: connector.egress,
      open: () => connector.open(node.config, context),
      deliveries: recovered.deliveries,
      streamId: (stream) => run.version.plan.streams[stream]?.id,
      delivered: (origins) => delivered(node.index, origins),
      failed,
    });
    this.#sinks.push(runner);
    if (!draining && lettersOnly === undefined) await runner.begin();
  }
}
