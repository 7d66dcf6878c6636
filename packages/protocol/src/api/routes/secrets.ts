/** Secrets of connectors: written, listed by name and deleted; no route gives a value. */
import { z } from 'zod';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';

/** As settings of a pipeline may name it. */
export const secretName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, {
  message: 'letters, digits, dots, dashes and underscores, beginning with a letter or digit, at most 100',
});

export const MAX_SECRET_BYTES = 64 << 10;

const secretEntry = z.object({
  name: z.string(),
  /** Grows with every write. */
  version: z.number().int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string(),
  usedBy: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .meta({ description: 'Pipelines whose deployed version names it.' }),
});

export const secretRoutes = defineRoutes({
  'secrets.list': {
    method: 'get',
    path: '/api/v1/secrets',
    permission: 'settings.manage',
    summary: 'Names of the secrets, when they were last written, and which deployed pipelines use them.',
    query: z.object(pageQuery),
    response: pageOf(secretEntry),
  },
  'secrets.names': {
    method: 'get',
    path: '/api/v1/secret-names',
    permission: 'graph.write',
    summary: 'Names of the secrets, for who chooses one in a pipeline.',
    response: z.object({ names: z.array(z.string()) }),
  },
  'secrets.put': {
    method: 'put',
    path: '/api/v1/secrets/:name',
    permission: 'settings.manage',
    summary: 'Write a secret. It can be overwritten and deleted, never read back.',
    params: z.object({ name: secretName }),
    body: z.strictObject({
      value: z
        .string()
        .min(1)
        .refine((value) => new TextEncoder().encode(value).length <= MAX_SECRET_BYTES, {
          message: `longer than ${MAX_SECRET_BYTES} bytes`,
        })
        .refine((value) => !value.includes('\0'), { message: 'holds a zero byte' }),
    }),
    // JSON may write one byte as six.
    maxBody: 6 * MAX_SECRET_BYTES + 1024,
    response: z.object({ version: z.number().int() }),
  },
  'secrets.delete': {
    method: 'delete',
    path: '/api/v1/secrets/:name',
    permission: 'settings.manage',
    summary: 'Delete a secret. A pipeline that names it stops at its next start.',
    params: z.object({ name: secretName }),
  },
});
