/** The files of a workspace: what file connectors read and write by relative paths. */
import { z } from 'zod';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';

const MOST_PARTS = 16;
const MOST_PART_BYTES = 255;
export const MAX_FILE_BYTES = 4 * 1024 ** 3;

/** Names that begin with a dot are Millrace's own: locks and uploads that are under way. */
const part = z
  .string()
  .min(1)
  .refine((name) => !/[/\\\p{Cc}]/u.test(name), { message: 'holds a slash or a control character' })
  .refine((name) => !name.startsWith('.'), { message: 'begins with a dot' })
  .refine((name) => new TextEncoder().encode(name).length <= MOST_PART_BYTES, { message: 'is too long' });

const path = z.array(part).min(1).max(MOST_PARTS);

const fileEntry = z.object({
  path: z.string(),
  size: z.number().int(),
  modifiedAt: z.iso.datetime(),
});

export const fileRoutes = defineRoutes({
  'files.list': {
    method: 'get',
    path: '/api/v1/files',
    permission: 'data.read',
    summary: 'The files of the workspace, by path.',
    query: z.object(pageQuery),
    response: pageOf(fileEntry),
  },
  'files.read': {
    method: 'get',
    path: '/api/v1/files/*path',
    permission: 'data.read',
    summary: 'Download a file.',
    params: z.object({ path }),
    media: 'application/octet-stream',
  },
  'files.write': {
    method: 'put',
    path: '/api/v1/files/*path',
    permission: 'data.write',
    summary: 'Upload a file whole; folders on the way are made, and one of that name is replaced.',
    params: z.object({ path }),
    input: 'stream',
    maxBody: MAX_FILE_BYTES,
    response: fileEntry,
  },
  'files.delete': {
    method: 'delete',
    path: '/api/v1/files/*path',
    permission: 'data.write',
    summary: 'Delete a file.',
    params: z.object({ path }),
  },
});
