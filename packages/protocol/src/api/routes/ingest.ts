/** Posting records to a running pipeline. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const MAX_INGEST_BYTES = 32 << 20;

const ingestAnswer = z.object({
  accepted: z.number().int(),
  /** The first 500 of them, by place in the body. */
  rejected: z.array(z.object({ index: z.number().int(), reason: z.string() })),
  /** How many more were rejected. */
  unlisted: z.number().int().optional(),
});
export type IngestAnswer = z.infer<typeof ingestAnswer>;

export const ingestRoutes = defineRoutes({
  'ingest.post': {
    method: 'post',
    path: '/in/:pipeline/:injector',
    permission: 'ingest',
    summary:
      'Post records to an HTTP injector, by its node id or name: JSON (a value or an array) or application/x-ndjson, plain or gzip; with an Idempotency-Key it may be sent again and no record goes in twice. Answers when the records are committed.',
    params: z.object({ pipeline: z.string(), injector: z.string().min(1).max(500) }),
    input: 'stream',
    maxBody: MAX_INGEST_BYTES,
    response: ingestAnswer,
  },
});
