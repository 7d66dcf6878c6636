/** What the server says of itself. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const instanceRoutes = defineRoutes({
  'instance.page': {
    method: 'get',
    path: '/',
    permission: 'public',
    summary: 'The page for people.',
    media: 'text/html; charset=utf-8',
  },
  'instance.health': {
    method: 'get',
    path: '/healthz',
    permission: 'public',
    summary: 'Whether the server works: 200, or 503 while it waits for its database.',
    response: z.object({ status: z.literal('ok') }),
  },
  'instance.openapi': {
    method: 'get',
    path: '/api/v1/openapi.json',
    permission: 'public',
    summary: 'This interface as an OpenAPI 3.1 document.',
    response: z.looseObject({ openapi: z.string() }),
  },
});
