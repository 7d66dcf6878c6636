/** What the server says of itself. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const page = { method: 'get', permission: 'public', media: 'text/html; charset=utf-8' } as const;

/** One page for people; which of its views an address means, the page itself decides. */
export const instanceRoutes = defineRoutes({
  'instance.page': { ...page, path: '/', summary: 'The page for people: the workspace’s pipelines.' },
  'instance.sign-in': { ...page, path: '/sign-in', summary: 'Where people log in.' },
  'instance.setup': { ...page, path: '/setup', summary: 'Where the owner’s link leads.' },
  'instance.invite': { ...page, path: '/invite', summary: 'Where an invitation leads.' },
  'instance.password': { ...page, path: '/password', summary: 'Where a link for a new password leads.' },
  'instance.workspace': { ...page, path: '/w/*path', summary: 'Everything of a workspace has an address.' },
  'instance.record': { ...page, path: '/r/*path', summary: 'A recorded record.' },
  'instance.asset': {
    method: 'get',
    path: '/assets/:name',
    permission: 'public',
    summary: 'Scripts, styles, fonts and pictures of the page.',
    params: z.object({ name: z.string().max(200) }),
    media: 'application/octet-stream',
  },
  'instance.health': {
    method: 'get',
    path: '/healthz',
    permission: 'public',
    summary:
      'Whether the server works and leads: 200, or 503 while it waits for its database, or stands by for another server (code `standing-by`, with `leader`). With `?standby=ok` one that stands by answers 200 as well.',
    response: z.object({ status: z.literal('ok'), role: z.literal('leads') }),
  },
  'instance.openapi': {
    method: 'get',
    path: '/api/v1/openapi.json',
    permission: 'public',
    summary: 'This interface as an OpenAPI 3.1 document.',
    response: z.looseObject({ openapi: z.string() }),
  },
});
