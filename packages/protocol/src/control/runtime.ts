/** A running pipeline as whoever looks after it sees it: workers, intervals, commits. */
import { z } from 'zod';
import { watermark } from './progress.ts';

const count = z.number().nonnegative();

export const workerRuntime = z.object({
  /** Names the worker; what it is to the system stays in the engine host. */
  slot: z.number().int(),
  /** Of the interval of key hashes it owns, `[from, to)`: sixteen hexadecimal digits. */
  from: z.string(),
  to: z.string().optional(),
  sequencer: z.number().int().optional(),
  state: z.enum(['starting', 'running', 'dead']),
  /** Wall times in ms. */
  startedAt: z.number().optional(),
  restarts: count,
  lastEnd: z.object({ at: z.number(), reason: z.string() }).optional(),
  /** Since this worker was started; undefined where the system does not tell. */
  cpuSeconds: count.optional(),
  residentBytes: count.optional(),
  /** Committed by this slot since the run began. */
  bundles: count,
  /** Inputs parked, and `async` calls that run. */
  waiting: count,
  running: count,
  /** Of input that is on its way to it. */
  queuedBytes: count,
  /** By node id. */
  watermarks: z.record(z.string(), watermark),
});

export const runtime = z.object({
  /** Wall time in ms of the answer, and of the beginning of the run. */
  at: z.number(),
  since: z.number(),
  version: z.number().int(),
  /** Of the host's lease. */
  sequencer: z.number().int(),
  position: count,
  unfoldedBytes: count,
  undeliveredBytes: count,
  /** P9: of nodes and streams whose records do not add up, in words. */
  imbalances: z.array(z.string()),
  /** Keys with a share of a computation's input worth knowing, the busiest of each node first; by a sample. */
  busiestKeys: z.array(
    z.object({
      node: z.string(),
      /** Its beginning, where it is long; absent for whoever may not read data. */
      key: z.string().optional(),
      share: z.number(),
    }),
  ),
  /** Injectors that are posted to, with what is asked of their memory of idempotency keys since the run began. */
  remembered: z.array(
    z.object({
      node: z.string(),
      lookups: count,
      /** Of the lookups: the store was read, and the key was known. */
      storeReads: count,
      known: count,
      filterBytes: count,
      /** False: the filter is being made, and until then every lookup reads. */
      complete: z.boolean(),
    }),
  ),
  commits: z.object({
    bundleRate: count,
    /** Records from injectors, over about the last second. */
    recordsPerBundle: count.optional(),
    p50Ms: count.optional(),
    p95Ms: count.optional(),
    p99Ms: count.optional(),
  }),
  folds: z.object({ count, lastAt: z.number().optional(), lastMs: count.optional() }),
  workers: z.array(workerRuntime),
});
export type Runtime = z.infer<typeof runtime>;

const tracedRecord = z.object({
  id: z.string(),
  stream: z.string(),
  key: z.string(),
  /** Event time. */
  timestamp: z.number(),
  /** Wall time in ms at which the bundle it went out in was committed. */
  at: z.number(),
  text: z.string(),
  cut: z.boolean(),
  /** What made it, where a timer did: its parent, if known, has armed that. */
  timer: z.object({ tag: z.string(), clock: z.enum(['watermark', 'wall']), time: z.number() }).optional(),
});
const hop = tracedRecord.extend({
  /** Of a parent: the record it led to. Of a child: the record it was made of. */
  from: z.string(),
  hops: z.number().int(),
});

export const recordTrace = z.object({
  /** Absent: it is not among the samples that are kept. */
  record: tracedRecord.optional(),
  parents: z.array(hop),
  children: z.array(hop),
  /** There may be more than was looked for. */
  cut: z.boolean(),
});
