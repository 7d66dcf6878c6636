/** A running pipeline as whoever looks after it sees it: workers, intervals, commits. */
import { z } from 'zod';
import { watermark } from './progress.ts';

const count = z.number().nonnegative();

/** Upper half of a key's hash: where an interval begins, or the next one does; absent: where all end. */
export const keyHash = z.string().regex(/^[0-9a-f]{8}$/);

export const workerRuntime = z.object({
  /** Names the worker; what it is to the system stays in the engine host. */
  slot: z.number().int(),
  /** Of the key hashes of all computations, how much it owns: 0 to 1. */
  share: z.number(),
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
  /** Records that went to another worker before they were stored, and those of them that had to be stored; absent where all are. */
  weak: z.object({ early: count, checkpointed: count }).optional(),
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
  /** Who owns which keys; computations that are cut alike stand together. */
  intervals: z.array(
    z.object({
      /** Ids. */
      nodes: z.array(z.string()),
      intervals: z.array(z.object({ from: keyHash, to: keyHash.optional(), slot: z.number().int() })),
      /** There are more. */
      cut: z.boolean(),
    }),
  ),
  /** How many workers there will be, while their number is being changed. */
  goal: z.int().optional(),
  /** An interval that moves from one worker to another now. */
  move: z
    .object({
      nodes: z.array(z.string()),
      from: keyHash,
      to: keyHash.optional(),
      oldSlot: z.number().int(),
      newSlot: z.number().int(),
      /** Senders keep apart what is for it; the old worker has given it up; the new one has it. */
      phase: z.enum(['apart', 'given', 'joined']),
    })
    .optional(),
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
