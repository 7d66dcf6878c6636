/**
 * Injectors that are pushed to: tells them what is committed of what they handed over, and keeps what is remembered
 * of requests in bounds.
 */
import type { PlanNode } from '@millrace/graph';
import { decodeSourceMark, metaKeys } from '@millrace/protocol';
import type { ConnectorContext, OpenInjector, SourcePartition } from '../ports.ts';
import type { PagedStore } from './paged/paged-store.ts';
import { type MemoryCounts, RememberedRequests } from './remembered-requests.ts';

export interface PushedSourcesOptions {
  readonly paged: PagedStore;
  readonly nodeNumbers: readonly number[];
  readonly now: () => number;
  readonly failed: (error: string) => void;
}

export interface RememberedCounts extends MemoryCounts {
  readonly node: number;
}

const FORGET_EVERY_MS = 60_000;

export class PushedSources {
  readonly #options: PushedSourcesOptions;
  /** By the key of their marks. */
  readonly #partitions = new Map<string, SourcePartition>();
  readonly #memories: { readonly node: number; readonly memory: RememberedRequests }[] = [];
  #forgotAt: number;

  constructor(options: PushedSourcesOptions) {
    this.#options = options;
    this.#forgotAt = options.now();
  }

  contextOf(node: PlanNode, context: ConnectorContext): ConnectorContext {
    return { ...context, requestMemory: (keepMs) => this.#remember(node, keepMs) };
  }

  watch(node: PlanNode, { partitions }: OpenInjector, held: boolean): void {
    for (const partition of partitions) {
      if (partition.committed === undefined) continue;
      const key = metaKeys.source(this.#numberOf(node), partition.name);
      this.#partitions.set(Buffer.from(key).toString('utf8'), partition);
      partition.held?.(held);
    }
  }

  /** A mark is in the store. */
  committed(key: string, value: Uint8Array): void {
    const partition = this.#partitions.get(key);
    if (partition === undefined) return;
    const { offset, answers } = decodeSourceMark(value);
    partition.committed?.(offset, answers ?? []);
  }

  hold(held: boolean): void {
    for (const partition of this.#partitions.values()) partition.held?.(held);
  }

  tick(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const { memory } of this.#memories) this.#watched(memory.forget());
  }

  close(): void {
    for (const { memory } of this.#memories) memory.close();
  }

  /** By plan index. */
  counts(): readonly RememberedCounts[] {
    return this.#memories.map(({ node, memory }) => ({ node, ...memory.counts }));
  }

  #remember(node: PlanNode, keepMs: number): RememberedRequests {
    const { paged, now } = this.#options;
    const memory = new RememberedRequests({ paged, now, keepMs, node: this.#numberOf(node) });
    this.#memories.push({ node: node.index, memory });
    this.#watched(memory.learn());
    this.#watched(memory.forget());
    return memory;
  }

  #watched(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.#options.failed(`requests that are remembered cannot be read: ${(error as Error).message}`),
    );
  }

  #numberOf(node: PlanNode): number {
    return this.#options.nodeNumbers[node.index] as number;
  }
}
