/**
 * Counters, watermarks and source marks as changes of a bundle (P9: counters are part of the commit). Written
 * only when they differ from what was written last; the first bundle of a worker therefore writes them all.
 */
import type { PlanNode } from '@millrace/graph';
import {
  type BundleBodyWriter,
  ByteWriter,
  encodeValue,
  META_SPACE,
  metaKeys,
  type Watermark,
} from '@millrace/protocol';
import { ComputationStage, type WatermarkFloors } from './computation-stage.ts';
import type { InjectorStage } from './injector-stage.ts';
import { encodeCounters, type NodeCounters } from './node-counters.ts';
import type { WorkerStages } from './worker-stages.ts';

/** Where a node's watermarks stood on one worker. An end counts within its version only: another may add a sender. */
export interface StoredWatermarks extends WatermarkFloors {
  readonly kind: Watermark['kind'];
  readonly version: number;
}

export class NumberSeal {
  readonly #stages: WorkerStages;
  readonly #written: { counters: string; watermark: string }[];

  constructor(stages: WorkerStages) {
    this.#stages = stages;
    this.#written = stages.plan.nodes.map(() => ({ counters: '', watermark: '' }));
  }

  sealMarks(body: BundleBodyWriter, stage: InjectorStage): void {
    for (const { ingest } of stage.partitions) {
      const mark = ingest.takeMark();
      if (mark !== undefined)
        body.put(
          META_SPACE,
          metaKeys.source(this.#stages.numberOf(stage.node.index), ingest.name),
          valueBytes(mark),
        );
    }
  }

  sealNode(body: BundleBodyWriter, node: PlanNode, output: Watermark): void {
    const { configuration, all, sinkCounts } = this.#stages;
    const { slot } = configuration;
    const number = this.#stages.numberOf(node.index);
    const written = this.#written[node.index] as { counters: string; watermark: string };
    const stage = all[node.index];
    const counters = encodeCounters(stage?.counters ?? (sinkCounts[node.index] as NodeCounters));
    const text = counters.join();
    if (text !== written.counters) {
      written.counters = text;
      body.put(META_SPACE, metaKeys.counters(slot, number), counters);
    }
    const named = stage instanceof ComputationStage ? stage.named.takeChange() : undefined;
    if (named !== undefined) body.put(META_SPACE, metaKeys.named(slot, number), named);
    const stored: StoredWatermarks = {
      ...(stage instanceof ComputationStage
        ? stage.floors
        : { out: stage?.floor, in: stage?.floor, inputEnded: false }),
      kind: output.kind,
      version: configuration.version,
    };
    const spelled = JSON.stringify(stored);
    if (spelled === written.watermark) return;
    written.watermark = spelled;
    body.put(META_SPACE, metaKeys.watermarks(slot, number), valueBytes(stored));
  }

  sealStreams(body: BundleBodyWriter): void {
    const { plan, configuration, streamCounts } = this.#stages;
    for (const { index, id } of plan.streams) {
      const count = streamCounts.takeChange(index);
      if (count !== undefined) body.put(META_SPACE, metaKeys.stream(configuration.slot, id), count);
    }
  }

  sealDelivered(body: BundleBodyWriter, position: number): void {
    const w = new ByteWriter(8);
    w.f64(position);
    body.put(META_SPACE, metaKeys.delivered(this.#stages.configuration.slot), w.take());
  }
}

function valueBytes(value: unknown): Uint8Array {
  const w = new ByteWriter(64);
  encodeValue(w, value);
  return w.take();
}
