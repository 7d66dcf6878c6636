/** Sampled records on their way from the engine host to the server. */
import { z } from 'zod';

const record = z.object({
  key: z.string(),
  timestamp: z.number(),
  id: z.string(),
  pane: z
    .object({
      start: z.number(),
      end: z.number(),
      index: z.number(),
      timing: z.enum(['early', 'on-time', 'late']),
      last: z.boolean(),
      retracts: z.literal(true).optional(),
    })
    .optional(),
  text: z.string(),
  cut: z.boolean(),
});

export const tapBatch = z.object({
  /** Id of the stream. */
  stream: z.string(),
  /** Records that went by, shown or not. */
  seen: z.number(),
  records: z.array(record),
  /** These went by before the tap was opened. */
  earlier: z.boolean(),
});
export type ControlTapBatch = z.infer<typeof tapBatch>;
export type ControlTapRecord = z.infer<typeof record>;

export const tapLimits = z.object({
  recordsPerSecond: z.number().int().min(1),
  charsPerSecond: z.number().int().min(1),
});
