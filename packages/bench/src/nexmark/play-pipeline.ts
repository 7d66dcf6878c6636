/**
 * Plays a whole pipeline on the test kit: every computation in a harness, every record handed on as it is produced,
 * with the watermarks between them as the model says (W1). No engine, no database, no disk.
 */
import { buildBundle, type PipelineCode } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import { compilePlan, nodeTypes, type PipelineFolder, type PlanNode, type RunPlan } from '@millrace/graph';
import type { Computation, Pane } from '@millrace/sdk';
import { type Harness, harness } from '@millrace/sdk/testing';
import type { SinkRecord } from './final-rows.ts';

export interface PlayedPipeline {
  readonly plan: RunPlan;
  readonly code: PipelineCode;
}

export async function loadPipeline(folder: PipelineFolder): Promise<PlayedPipeline> {
  const plan = compilePlan(folder.pipeline, nodeTypes(connectorSpecs), {});
  const built = await buildBundle(folder, plan, { inProcess: true });
  if (built.kind === 'failed') throw new Error(built.issues.map(({ message }) => message).join('; '));
  const url = `data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`;
  const code = ((await import(/* @vite-ignore */ url)) as { default: PipelineCode }).default;
  return { plan, code };
}

export interface PlayedEvent {
  readonly value: unknown;
  readonly timestamp: number;
}

/** By node id of injectors that read a table: its rows, all of which are there before the first event. */
export type Tables = ReadonlyMap<string, readonly unknown[]>;

/**
 * What each sink gets, by node id. The only injector that reads no table reads `events`; `slackMs`: how far its
 * watermark is behind the newest one.
 */
export function playPipeline(
  { plan, code }: PlayedPipeline,
  events: Iterable<PlayedEvent>,
  slackMs = 0,
  tables: Tables = new Map(),
): ReadonlyMap<string, readonly SinkRecord[]> {
  const player = new Player(plan, code);
  const injectors = plan.nodes.filter(({ kind }) => kind === 'injector');
  for (const injector of injectors) {
    const rows = tables.get(injector.id);
    if (rows === undefined) continue;
    for (const value of rows)
      player.produced(injector, 'out', { key: '', value, timestamp: 0, pane: FOR_EVER });
    player.advanced(injector, Number.MAX_SAFE_INTEGER);
  }
  const source = injectors.find(({ id }) => !tables.has(id));
  if (source === undefined) throw new Error(`the pipeline ${plan.name} has no injector`);
  let newest = Number.NEGATIVE_INFINITY;
  for (const { value, timestamp } of events) {
    player.produced(source, 'out', { key: '', value, timestamp });
    if (timestamp <= newest) continue;
    newest = timestamp;
    player.advanced(source, newest - slackMs);
  }
  for (const node of plan.nodes) player.end(node);
  return player.sinks;
}

/** A row of a table that is read once stands for all time. */
const FOR_EVER: Pane = {
  start: Number.MIN_SAFE_INTEGER,
  end: Number.MAX_SAFE_INTEGER,
  index: 0,
  timing: 'on-time',
  last: true,
};

interface Produced extends SinkRecord {
  readonly pane?: Pane | undefined;
}

class Player {
  readonly sinks = new Map<string, SinkRecord[]>();
  readonly #plan: RunPlan;
  readonly #code: PipelineCode;
  readonly #harnesses = new Map<number, Harness<object, object>>();
  /** How much of each harness's trace has been handed on. */
  readonly #seen = new Map<number, number>();
  /** By index of stream. */
  readonly #watermarks = new Map<number, number>();
  readonly #inputWatermarks = new Map<number, number>();

  constructor(plan: RunPlan, code: PipelineCode) {
    this.#plan = plan;
    this.#code = code;
    for (const { index, kind, id } of plan.nodes) {
      if (kind === 'sink') this.sinks.set(id, []);
      if (kind !== 'computation') continue;
      const computation = code.nodes[id] as Computation;
      this.#harnesses.set(index, harness(computation, { isolated: false, params: plan.params }));
    }
  }

  produced(node: PlanNode, port: string, record: Produced): void {
    for (const stream of this.#streamsOf(node)) {
      if (stream.fromPort !== port) continue;
      const consumer = this.#plan.nodes[stream.to]!;
      const keyBy = this.#code.keyBy[stream.id];
      const key = keyBy === undefined ? record.key : String(keyBy(record.value, record as never));
      if (consumer.kind === 'sink') {
        this.sinks.get(consumer.id)?.push({ ...record, key });
        continue;
      }
      this.#harnesses.get(consumer.index)?.record({ ...record, key, stream: stream.toPort } as never);
      this.#handOn(consumer);
    }
  }

  advanced(node: PlanNode, watermark: number): void {
    for (const { index, to } of this.#streamsOf(node)) {
      this.#watermarks.set(index, watermark);
      const consumer = this.#plan.nodes[to]!;
      const inputs = consumer.inputs.map((each) => this.#watermarks.get(each));
      const least = inputs.includes(undefined) ? undefined : Math.min(...(inputs as number[]));
      if (least === undefined || least <= (this.#inputWatermarks.get(to) ?? Number.NEGATIVE_INFINITY))
        continue;
      this.#inputWatermarks.set(to, least);
      this.#harnesses.get(to)?.watermark(least);
      this.#handOn(consumer);
    }
  }

  /** Nodes end in the order of the plan: those behind have their last records then. */
  end(node: PlanNode): void {
    this.#harnesses.get(node.index)?.end();
    this.#handOn(node);
  }

  #streamsOf({ outputs }: PlanNode): RunPlan['streams'] {
    return outputs.map((index) => this.#plan.streams[index]!);
  }

  #handOn(node: PlanNode): void {
    const trace = this.#harnesses.get(node.index)?.trace() ?? [];
    for (let at = this.#seen.get(node.index) ?? 0; at < trace.length; at += 1) {
      const event = trace[at]!;
      this.#seen.set(node.index, at + 1);
      if (event.kind === 'output') this.produced(node, event.stream, event.record);
      else if (event.kind === 'watermark' && Number.isFinite(event.time)) this.advanced(node, event.time);
    }
  }
}
