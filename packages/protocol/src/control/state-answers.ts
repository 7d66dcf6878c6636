/** What is stored of a computation, undecoded: the server makes it readable, not the process that runs pipelines. */
import { z } from 'zod';

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const rawEntries = z.array(z.object({ key: bytes, value: bytes, bytes: z.number().int() }));

/** Wall time in ms at which the newest change came from the log into its page; unfolded: it has not yet. */
export const changed = z.union([z.number(), z.literal('unfolded')]).optional();

export const foundKey = z.object({
  key: z.string(),
  bytes: z.number(),
  hasState: z.boolean(),
  mapEntries: z.number(),
  timers: z.number(),
  waiting: z.number(),
  changed,
});

export const keyPage = z.object({
  position: z.number(),
  keys: z.array(foundKey),
  next: bytes.optional(),
});

export const biggestKeys = z.object({
  position: z.number(),
  /** Largest first. */
  keys: z.array(foundKey),
  lookedAt: z.number().int(),
  /** False: there was no time to look at all keys. */
  complete: z.boolean(),
});

export const rawKey = z.object({
  position: z.number(),
  state: rawEntries,
  timers: rawEntries,
  parked: rawEntries,
  holds: rawEntries,
  changed,
  incomplete: z.boolean(),
});
