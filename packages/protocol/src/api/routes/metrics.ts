/** Numbers of a deployment over time. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const measures = z.record(z.string(), z.array(z.number().nullable()));
const series = z.record(z.string(), measures);

const time = z.coerce
  .number({ error: 'Give a time in milliseconds since 1970, such as 1767225600000.' })
  .meta({ description: 'Milliseconds since 1970, UTC.' });

export const metricRoutes = defineRoutes({
  'deployments.metrics': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/metrics',
    permission: 'live.read',
    summary:
      'Numbers of each node, each stream and the whole over time: every second for a day, or per minute (least, greatest, mean) for a month.',
    params: z.object({ pipeline: z.string().max(64) }),
    query: z.object({
      from: time,
      to: time,
      per: z.enum(['second', 'minute']).default('second'),
      of: z
        .string()
        .max(8_000)
        .regex(/^\w+(,\w+)*$/)
        .optional()
        .meta({
          description: 'Ids of nodes and streams, with commas between, and `pipeline`; without it, of all.',
        }),
    }),
    response: z.object({
      at: z.array(z.number()),
      /** Node id to measure to one number per entry of `at`. */
      nodes: series,
      /** Stream id to measure: rate, produced, inFlight. */
      streams: series,
      /** Of no node and no stream, `pipeline` in `of`: bundleRate, commitP50Ms, commitP95Ms, commitP99Ms, unfoldedBytes. */
      pipeline: measures,
      /** Per minute only. */
      least: series.optional(),
      greatest: series.optional(),
      leastOfStreams: series.optional(),
      greatestOfStreams: series.optional(),
    }),
  },
});
