/** Why a node's watermark stands where it does (model.md W5): the chain of slow senders, and what holds at its end. */
import { z } from 'zod';
import { watermark } from './progress.ts';

const slot = z.number().int().nonnegative();
/** Names of keys and records are values: they are left out for whoever may not read those. */
const value = z.string().optional();

export const cause = z.discriminatedUnion('kind', [
  /** Nothing holds it. */
  z.object({ kind: z.literal('none') }),
  /** An injector has read no further. */
  z.object({
    kind: z.literal('source'),
    slot,
    /** Those that are the slowest, with the largest event time read. */
    partitions: z.array(z.object({ name: z.string(), largest: z.number().optional() })),
    /** Why it does not read, where it is not the source that has nothing. */
    waits: z.enum(['paused', 'pressure', 'skew']).optional(),
  }),
  /** Records are committed that the node's worker has not taken. */
  z.object({ kind: z.literal('backlog'), slot, records: z.number(), since: z.number().optional() }),
  /** A record that waits for another try, for its turn or for an `async` call. */
  z.object({ kind: z.literal('record'), slot, hold: z.number(), key: value, id: value }),
  /** State that was set with a `holdUntil`. */
  z.object({ kind: z.literal('state'), slot, hold: z.number(), key: value }),
  z.object({
    kind: z.literal('timer'),
    slot,
    hold: z.number(),
    clock: z.enum(['watermark', 'wall']),
    time: z.number(),
    key: value,
    tag: value,
  }),
]);

export const watermarkCause = z.object({
  watermark,
  /** Node ids, from the one that was asked for to the one that holds. */
  path: z.array(z.string()),
  cause,
});
export type WatermarkCause = z.infer<typeof watermarkCause>;
