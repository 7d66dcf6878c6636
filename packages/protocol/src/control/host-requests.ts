/**
 * Questions of the server to its engine host, one entry a kind: the question, and its answer. A feature adds its
 * entry here and its handler in apps/engine-host/src/requests/.
 */
import { z } from 'zod';
import { logLine } from './log-line.ts';
import { keyHash, recordTrace, runtime } from './runtime.ts';
import { biggestKeys, bytes, keyPage, rawKey } from './state-answers.ts';
import { tapLimits } from './tap-messages.ts';
import { watermarkCause } from './watermark-cause.ts';

const pipeline = z.string();

export const HOST_REQUESTS = {
  /** Opens and closes every source of a stored version: secrets and files are the host's alone. */
  'try-sources': {
    request: z.object({
      pipeline,
      version: z.number().int(),
      workspace: z.string(),
      folder: z.string().optional(),
    }),
    answer: z.object({ trouble: z.string().optional() }),
  },
  /** How much is stored of these nodes (Y1). */
  'state-counts': {
    request: z.object({ pipeline, nodes: z.array(z.string()) }),
    answer: z.object({
      nodes: z.array(
        z.object({
          node: z.string(),
          keys: z.number().int(),
          mapEntries: z.number().int(),
          timers: z.number().int(),
          /** Delivered and waiting in the node. */
          inFlight: z.number().int(),
          /** False: there are at least so many. */
          complete: z.boolean(),
        }),
      ),
    }),
  },
  /** How often a running pipeline's progress is told; `undefined`: as rarely as the host likes. */
  watch: {
    request: z.object({ pipeline, everyMs: z.number().int().min(100).optional() }),
    answer: z.object({}),
  },
  /** Watches streams of a running pipeline; records come as `tap` messages until it is closed or the run ends. */
  'tap-open': {
    request: z.object({ pipeline, tap: z.string(), streams: z.array(z.string()), limits: tapLimits }),
    answer: z.object({}),
  },
  'tap-close': { request: z.object({ tap: z.string() }), answer: z.object({}) },
  /** Delivers dead letters again, for a bounded time; of a group it goes on above `next`. */
  redrive: {
    request: z.object({
      pipeline,
      choice: z.union([
        z.object({ numbers: z.array(z.number().int()) }),
        /** `upTo` undefined: those there are now. */
        z.object({ group: z.string(), above: z.number().int(), upTo: z.number().int().optional() }),
      ]),
    }),
    answer: z.object({
      redriven: z.number().int(),
      refused: z.array(z.object({ number: z.number().int(), reason: z.string() })),
      refusedCount: z.number().int(),
      next: z.object({ above: z.number().int(), upTo: z.number().int() }).optional(),
    }),
  },
  /** Log lines newer than those seen; waits for some for up to `waitMs`. */
  'logs-read': {
    request: z.object({
      pipeline,
      seen: z.object({ book: z.string(), number: z.number().int() }).optional(),
      waitMs: z.number().int().min(0).max(5_000),
    }),
    answer: z.object({
      /** Another one: the host was started again, and numbers begin anew. */
      book: z.string(),
      lines: z.array(logLine),
      /** Left out by limits of rate since the book began. */
      cut: z.number().int(),
    }),
  },
  /** Keys of a computation; undefined when nothing was ever stored of it. Also of a pipeline that does not run. */
  'state-keys': {
    request: z.object({
      pipeline,
      node: z.string(),
      beginning: z.string(),
      after: bytes.optional(),
      limit: z.number().int().min(1),
    }),
    /** `unknown`: no version that ran has such a node. Neither: nothing ever ran. */
    answer: z.object({ page: keyPage.optional(), unknown: z.literal(true).optional() }),
  },
  'state-biggest': {
    request: z.object({ pipeline, node: z.string(), count: z.number().int().min(1).max(200) }),
    answer: z.object({ biggest: biggestKeys.optional(), unknown: z.literal(true).optional() }),
  },
  runtime: { request: z.object({ pipeline }), answer: runtime },
  /** Gives keys to another worker while the pipeline runs; answered when it has them. */
  'move-keys': {
    request: z.object({
      pipeline,
      /** Ids of computations; undefined: all. */
      nodes: z.array(z.string()).optional(),
      from: keyHash,
      to: keyHash.optional(),
      slot: z.number().int(),
    }),
    /** How many moves it took; 0: they were that worker's already. */
    answer: z.object({ moves: z.number().int() }),
  },
  /** A record's way, as far as the samples that are kept tell it. */
  trace: { request: z.object({ pipeline, record: z.string() }), answer: recordTrace },
  /** Undefined where the version that runs has no such node. */
  'watermark-cause': {
    request: z.object({ pipeline, node: z.string() }),
    answer: z.object({ found: watermarkCause.optional() }),
  },
  'state-key': {
    request: z.object({ pipeline, node: z.string(), key: z.string() }),
    answer: z.object({ found: rawKey.optional() }),
  },
} as const satisfies Record<string, { readonly request: z.ZodType; readonly answer: z.ZodType }>;

export type HostRequests = typeof HOST_REQUESTS;
export type HostRequestKind = keyof HostRequests;
export type HostRequest<K extends HostRequestKind> = z.infer<HostRequests[K]['request']>;
export type HostAnswer<K extends HostRequestKind> = z.infer<HostRequests[K]['answer']>;
