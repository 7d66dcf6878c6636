/** A running pipeline's numbers: a snapshot, of which only the newest counts. */
import { z } from 'zod';

export const watermark = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not-yet') }),
  z.object({ kind: z.literal('at'), time: z.number() }),
  z.object({ kind: z.literal('idle'), time: z.number().optional() }),
  z.object({ kind: z.literal('ended') }),
]);

const count = z.number().nonnegative();

export const nodeProgress = z.object({
  node: z.string(),
  name: z.string(),
  kind: z.enum(['injector', 'computation', 'sink']),
  /** Records since the pipeline began. */
  in: count,
  /** Of `in`: dead letters that were delivered again. */
  redriven: count,
  out: count,
  /** Records a second, over about the last second. */
  inRate: count,
  outRate: count,
  late: count,
  deadLettered: count,
  droppedLate: count,
  setAside: count,
  /** Delivered and held back in the node: back-off, `async`, a key that waits. */
  waiting: count,
  /** Share of its workers' time, 0 to 1; not of a sink. */
  busy: z.number().min(0).max(1).optional(),
  /** Sums of `ctx.count` by name. */
  counts: z.record(z.string(), z.number()),
  countsCut: count,
  watermark,
  /** Records committed for the node and not taken yet, and records that wait in it. */
  backlog: count,
  /** Event-time lag in ms. */
  lagMs: z.number().optional(),
  /** From arrival at an injector to committed here, over the last 10 s. */
  latency: z.object({ p50Ms: count, p95Ms: count, p99Ms: count }).optional(),
  /** Age in ms of the oldest unfinished work (W11). */
  workLagMs: z.number().optional(),
  /** An injector that waits for slower ones (W10): how far in ms it is ahead of the slowest. */
  aheadMs: count.optional(),
});
export type ControlNodeProgress = z.infer<typeof nodeProgress>;

export const streamProgress = z.object({
  stream: z.string(),
  /** P9: produced + redriven = delivered + in flight. */
  produced: count,
  /** Put on it again, from dead letters. */
  redriven: count,
  delivered: count,
  inFlight: count,
  rate: count,
});

export const pipelineProgress = z.object({
  pipeline: z.string(),
  version: z.number().int(),
  /** Wall time in ms at which it was taken. */
  at: z.number(),
  /** Log position of the last commit in it: everything here is of this epoch. */
  position: count,
  unfoldedBytes: count,
  commits: z.object({
    bundleRate: count,
    p50Ms: count.optional(),
    p95Ms: count.optional(),
    p99Ms: count.optional(),
  }),
  nodes: z.array(nodeProgress),
  streams: z.array(streamProgress),
});
export type PipelineProgress = z.infer<typeof pipelineProgress>;
