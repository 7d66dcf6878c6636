/** What the server says of itself. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const page = { method: 'get', permission: 'public', media: 'text/html; charset=utf-8' } as const;

export const instanceRoutes = defineRoutes({
  'instance.page': { ...page, path: '/', summary: 'The page for people.' },
  'instance.setup': { ...page, path: '/setup', summary: 'Where the owner’s link leads.' },
  'instance.invite': { ...page, path: '/invite', summary: 'Where an invitation leads.' },
  'instance.password': { ...page, path: '/password', summary: 'Where a link for a new password leads.' },
  'instance.style': { ...page, path: '/page.css', summary: 'Its style.', media: 'text/css; charset=utf-8' },
  'instance.script': {
    ...page,
    path: '/page.js',
    summary: 'Its script.',
    media: 'text/javascript; charset=utf-8',
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
