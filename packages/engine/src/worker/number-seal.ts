/**
 * Counters, watermarks and source marks as changes of a bundle (P9: counters are part of the commit). Written
 * only when they differ from what was written last; the first bundle of a worker therefore writes them all.
 */
import type { PlanNode } from '@millrace/graph';
import {
  type BundleBodyWriter,
  ByteWriter,
  encodeRemembered,
  encodeSourceMark,
  encodeValue,
  META_SPACE,
  metaKeys,
  requestKey,
  requestTimeKey,
  spaceOf,
  type Watermark,
} from '@millrace/protocol';
import { ComputationStage, type WatermarkFloors } from './computation-stage.ts';
import { InjectorStage } from './injector-stage.ts';
import { encodeCounters, type NodeCounters, sameCounters } from './node-counters.ts';
import type { WorkerStages } from './worker-stages.ts';

/** Where a node's watermarks stood on one worker. An end counts within its version only: another may add a sender. */
export interface StoredWatermarks extends WatermarkFloors {
  readonly kind: Watermark['kind'];
  readonly version: number;
}

interface Written {
  counters: NodeCounters | undefined;
  watermarks: StoredWatermarks | undefined;
}

export class NumberSeal {
  readonly #stages: WorkerStages;
  readonly #written: Written[];

  constructor(stages: WorkerStages) {
    this.#stages = stages;
    this.#written = stages.plan.nodes.map(() => ({ counters: undefined, watermarks: undefined }));
  }

  sealMarks(body: BundleBodyWriter, stage: InjectorStage): void {
    const number = this.#stages.numberOf(stage.node.index);
    for (const { ingest } of stage.partitions) {
      for (const { id, entry } of ingest.takeEntries()) {
        const w = new ByteWriter(128);
        encodeRemembered(w, entry);
        body.put(spaceOf(number, 'requests'), requestKey(id), w.take());
        body.put(spaceOf(number, 'requestTimes'), requestTimeKey(entry.since, id), NOTHING);
      }
      const mark = ingest.takeMark();
      if (mark !== undefined)
        body.put(META_SPACE, metaKeys.source(number, ingest.name), encodeSourceMark(mark));
    }
  }

  sealNode(body: BundleBodyWriter, node: PlanNode, output: Watermark): void {
    const { configuration, all, sinkCounts } = this.#stages;
    const { slot } = configuration;
    const number = this.#stages.numberOf(node.index);
    const written = this.#written[node.index] as Written;
    const stage = all[node.index];
    const counters = stage?.counters ?? (sinkCounts[node.index] as NodeCounters);
    if (written.counters === undefined || !sameCounters(counters, written.counters)) {
      written.counters = { ...counters };
      body.put(META_SPACE, metaKeys.counters(slot, number), encodeCounters(counters));
    }
    const named = stage instanceof ComputationStage ? stage.named.takeChange() : undefined;
    if (named !== undefined) body.put(META_SPACE, metaKeys.named(slot, number), named);
    if (stage instanceof InjectorStage && stage.isStandIn) return;
    const stored: StoredWatermarks = {
      ...(stage instanceof ComputationStage
        ? stage.floors
        : { out: stage?.floor, in: stage?.floor, inputEnded: false }),
      kind: output.kind,
      version: configuration.version,
    };
    if (written.watermarks !== undefined && sameStored(stored, written.watermarks)) return;
    written.watermarks = stored;
    body.put(META_SPACE, metaKeys.watermarks(slot, number), valueBytes(stored));
  }

  sealStreams(body: BundleBodyWriter): void {
    const { plan, configuration, streamCounts } = this.#stages;
    for (const { index, id } of plan.streams) {
      const count = streamCounts.takeChange(index);
      if (count !== undefined) body.put(META_SPACE, metaKeys.stream(configuration.slot, id), count);
    }
  }

  /** By channel. */
  sealDelivered(body: BundleBodyWriter, positions: Map<number, number>): void {
    for (const [channel, position] of positions)
      body.put(META_SPACE, metaKeys.delivered(channel), numberBytes(position));
    positions.clear();
  }

  sealStep(body: BundleBodyWriter, step: number): void {
    body.put(META_SPACE, metaKeys.intervalStep(this.#stages.configuration.slot), numberBytes(step));
  }
}

function numberBytes(value: number): Uint8Array {
  const w = new ByteWriter(8);
  w.f64(value);
  return w.take();
}

const NOTHING = new Uint8Array(0);

/** Of one worker, whose version never changes. */
function sameStored(a: StoredWatermarks, b: StoredWatermarks): boolean {
  return a.out === b.out && a.in === b.in && a.kind === b.kind && a.inputEnded === b.inputEnded;
}

function valueBytes(value: unknown): Uint8Array {
  const w = new ByteWriter(64);
  encodeValue(w, value);
  return w.take();
}
