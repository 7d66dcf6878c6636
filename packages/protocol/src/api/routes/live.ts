/** What a running pipeline looks like: numbers and state. */
import { z } from 'zod';
import { observation } from '../../control/observed-state.ts';
import { pipelineProgress } from '../../control/progress.ts';
import { keyHash, recordTrace, runtime } from '../../control/runtime.ts';
import { changed, foundKey } from '../../control/state-answers.ts';
import { watermarkCause } from '../../control/watermark-cause.ts';
import { pipelineId } from '../fields.ts';
import { defineRoutes } from '../route.ts';

const params = z.object({ pipeline: pipelineId });
const node = z.string().min(1).max(64);

/** Where several servers take turns: who leads first, then those that stand by. Empty where one is alone. */
const servers = z.array(
  z.object({
    address: z.string(),
    leads: z.boolean(),
    /** Wall time in ms: since when it leads, else since when it is there. */
    since: z.number(),
  }),
);

const shownValue = z.object({
  bytes: z.number().int(),
  /** JSON text; absent where the value is too large to be read. */
  text: z.string().optional(),
  cut: z.boolean(),
});

/** A key says more than an address should: it stays in the body. */
const keyText = z.string().max(64 * 1024);

export const liveRoutes = defineRoutes({
  'live.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/live',
    permission: 'live.read',
    summary: 'What a pipeline does, and its numbers while it runs: counts, rates, watermarks, lags, backlog.',
    params,
    response: z.object({
      state: observation.nullable(),
      /** Null while it does not run, or nothing was told yet. */
      progress: pipelineProgress.nullable(),
    }),
  },
  'state.search': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/state/:node/search',
    permission: 'data.read',
    summary:
      'Keys of a computation that begin with a text, in no order people know. A page may be short or empty and still have a next one.',
    params: params.extend({ node }),
    body: z.object({
      beginning: keyText.default(''),
      cursor: z.string().max(200_000).optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    maxBody: 512 << 10,
    response: z.object({
      /** Of the log: what was committed up to it is in the answer. */
      position: z.number().int().nullable(),
      items: z.array(foundKey),
      next: z.string().nullable(),
    }),
  },
  'state.biggest': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/state/:node/biggest',
    permission: 'data.read',
    summary:
      'The 50 keys of a computation with the most bytes stored. Looks at keys for a bounded time and says whether at all.',
    params: params.extend({ node }),
    response: z.object({
      position: z.number().int().nullable(),
      items: z.array(foundKey),
      lookedAt: z.number().int(),
      complete: z.boolean(),
    }),
  },
  'runtime.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/runtime',
    permission: 'live.read',
    summary:
      'Workers of a running pipeline, the key intervals they own with sequencers and watermarks, the busiest keys, commits and folds; the servers that share the database.',
    params,
    response: runtime.extend({ servers }),
  },
  'runtime.move': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/runtime/move',
    permission: 'run.deploy',
    summary:
      'Gives a range of keys to another worker while everything else goes on: moves, splits or merges intervals. Answered when that worker has them.',
    params,
    body: z.strictObject({
      nodes: z
        .array(node)
        .min(1)
        .max(500)
        .optional()
        .meta({ description: 'Ids of computations; without it, all of them.' }),
      from: keyHash.meta({ description: 'The first eight hexadecimal digits of the least key hash.' }),
      to: keyHash.optional().meta({ description: 'Where the range ends; without it, at the last hash.' }),
      slot: z.number().int().min(0).max(1_000).meta({ description: 'The worker that is to own them.' }),
    }),
    response: z.object({ moves: z.number().int() }),
  },
  'watermark.cause': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/watermarks/:node/cause',
    permission: 'live.read',
    summary:
      'Why the watermark of a node stands where it does: the chain of slow nodes, and the partition, record, timer or state at its end. Keys and records are named to whoever may read them.',
    params: params.extend({ node }),
    response: watermarkCause,
  },
  'records.trace': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/records/trace',
    permission: 'data.read',
    summary:
      'Where a record came from and what came of it over every hop, as far as it is among the samples that are kept. What a timer made is not found.',
    params,
    body: z.strictObject({ record: z.string().min(1).max(4_096) }),
    response: recordTrace,
  },
  'state.read': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/state/:node/read',
    permission: 'data.read',
    summary: 'What is stored of one key: value, maps, timers, waiting records.',
    params: params.extend({ node }),
    body: z.object({ key: keyText }),
    maxBody: 512 << 10,
    response: z.object({
      key: z.string(),
      position: z.number().int(),
      state: shownValue.extend({ version: z.number().int() }).optional(),
      holdUntil: z.number().optional(),
      maps: z.array(
        z.object({
          name: z.string(),
          entries: z.array(shownValue.extend({ key: z.union([z.string(), z.number()]) })),
        }),
      ),
      timers: z.array(
        z.object({
          clock: z.enum(['watermark', 'wall']),
          tag: z.string(),
          time: z.number(),
          hold: z.number().optional(),
        }),
      ),
      waiting: z.array(
        shownValue.extend({
          id: z.string(),
          port: z.string(),
          timestamp: z.number(),
          late: z.boolean(),
          sequence: z.number(),
        }),
      ),
      changed,
      /** More is stored than is shown. */
      incomplete: z.boolean(),
    }),
  },
  'metrics.read': {
    method: 'get',
    path: '/metrics',
    permission: 'live.read',
    summary: 'Numbers of the server and of every pipeline that runs, in the text format of Prometheus.',
    media: 'text/plain; version=0.0.4; charset=utf-8',
  },
});
