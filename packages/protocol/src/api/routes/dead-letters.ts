/** What could not be processed: to look at, to deliver again, to forget. */
import { z } from 'zod';
import { pipelineId, time } from '../fields.ts';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';

const params = z.object({ pipeline: pipelineId });
const node = z.string().min(1).max(64);
const groupHash = z.string().regex(/^[0-9a-f]{64}$/);
const letters = z
  .array(z.number().int().positive())
  .min(1)
  .max(1_000)
  .meta({ description: 'Numbers of dead letters.' });

const deadLetter = z.object({
  number: z.number().int(),
  recordedAt: time,
  node: z.string(),
  error: z.string(),
  /** With lines of the pipeline's own TypeScript. */
  stack: z.string().optional(),
  /** As JSON text; in a list only its beginning. */
  input: z.string(),
  inputCut: z.boolean(),
  key: z.string().nullable(),
  timestamp: z.number().nullable(),
  origin: z.string(),
  state: z.string().nullable().optional(),
  version: z.number().int(),
  /** Tries before it was set aside. */
  attempts: z.number().int(),
  /** How often it was redriven before this failure. */
  redriven: z.number().int(),
  /** Whether enough was kept to deliver it again. */
  redrivable: z.boolean(),
  /** Of letters of one cause; null for letters recorded before there were groups. */
  group: z.string().nullable(),
});

export const deadLetterRoutes = defineRoutes({
  'dead-letters.list': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/dead-letters',
    permission: 'data.read',
    summary: 'What could not be processed, newest first.',
    params,
    query: z.object({
      ...pageQuery,
      node: node.optional(),
      group: groupHash.optional(),
    }),
    response: pageOf(deadLetter),
  },
  'dead-letters.groups': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/dead-letter-groups',
    permission: 'data.read',
    summary: 'Dead letters by cause: node, error without its values, line. Looks at the latest 100,000.',
    params,
    query: z.object({ node: node.optional() }),
    response: z.object({
      items: z.array(
        z.object({
          group: z.string().nullable(),
          node: z.string(),
          error: z.string(),
          place: z.string().nullable(),
          count: z.number().int(),
          newest: z.number().int(),
          newestAt: time,
          oldestAt: time,
        }),
      ),
    }),
  },
  'dead-letters.counts': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/dead-letter-counts',
    permission: 'live.read',
    summary:
      'How many dead letters there are now of each node: neither redriven nor discarded. Looks at the latest 100,000.',
    params,
    response: z.object({ nodes: z.record(z.string(), z.number().int()) }),
  },
  'dead-letters.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/dead-letters/:number',
    permission: 'data.read',
    summary: 'One dead letter, with stack, input and state.',
    params: params.extend({ number: z.coerce.number().int().positive() }),
    response: deadLetter,
  },
  'dead-letters.redrive': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/dead-letters/redrive',
    permission: 'data.write',
    summary:
      'Delivers dead letters again, each exactly once, to the node they died at and through the version that runs. One that fails again is a dead letter again. Of a group, goes on with `next` until that is null.',
    params,
    body: z.union([
      z.strictObject({ letters }),
      z.strictObject({ group: groupHash, cursor: z.string().max(200).optional() }),
    ]),
    response: z.object({
      /** Delivered again by this call. */
      redriven: z.number().int(),
      /** Still dead letters; the first hundred. */
      refused: z.array(z.object({ number: z.number().int(), reason: z.string() })),
      refusedCount: z.number().int(),
      next: z.string().nullable(),
    }),
  },
  'dead-letters.discard': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/dead-letters/discard',
    permission: 'data.write',
    summary: 'Forgets dead letters for good. Counts stay as they are.',
    params,
    body: z.union([
      z.strictObject({ letters }),
      /** Null, with a node: letters recorded before there were groups. */
      z.strictObject({ group: groupHash.nullable(), node: node.optional() }),
    ]),
    response: z.object({ discarded: z.number().int() }),
  },
});
