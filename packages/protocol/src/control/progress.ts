/** A running pipeline's numbers: a snapshot, of which only the newest counts. */
import { z } from 'zod';

const watermark = z.discriminatedUnion('kind', [
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
  out: count,
  /** Records a second, over about the last second. */
  inRate: count,
  outRate: count,
  late: count,
  deadLettered: count,
  droppedLate: count,
  watermark,
  /** Records committed for the node and not taken yet, and records that wait in it. */
  backlog: count,
  /** Event-time lag in ms. */
  lagMs: z.number().optional(),
  /** Age in ms of the oldest unfinished work (W11). */
  workLagMs: z.number().optional(),
});
export type ControlNodeProgress = z.infer<typeof nodeProgress>;

export const pipelineProgress = z.object({
  pipeline: z.string(),
  version: z.number().int(),
  /** Wall time in ms at which it was taken. */
  at: z.number(),
  unfoldedBytes: count,
  nodes: z.array(nodeProgress),
});
export type PipelineProgress = z.infer<typeof pipelineProgress>;
