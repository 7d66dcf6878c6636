/** API tokens. */
import { z } from 'zod';
import { displayName, id, pipelineId, scope, time } from '../fields.ts';
import { defineRoutes } from '../route.ts';

const LONGEST_DAYS = 3650;

export const tokenRoutes = defineRoutes({
  'tokens.list': {
    method: 'get',
    path: '/api/v1/tokens',
    permission: 'person',
    summary: 'One’s own API tokens; everybody’s for who manages members.',
    query: z.object({ of: z.enum(['me', 'all']).default('me') }),
    response: z.object({
      items: z.array(
        z.object({
          id,
          name: z.string(),
          account: id,
          accountName: z.string(),
          scopes: z.array(z.string()),
          pipeline: z.string().nullable(),
          createdAt: time,
          lastUsedAt: time.nullable(),
          expiresAt: time.nullable(),
        }),
      ),
    }),
  },
  'tokens.create': {
    method: 'post',
    path: '/api/v1/tokens',
    permission: 'person',
    summary: 'Makes an API token with scopes one has oneself. The token is shown once.',
    body: z.object({
      name: displayName,
      scopes: z.array(scope).min(1).max(20),
      pipeline: pipelineId.optional(),
      validDays: z.number().int().min(1).max(LONGEST_DAYS).optional(),
    }),
    response: z.object({ id, token: z.string() }),
    status: 201,
  },
  'tokens.revoke': {
    method: 'delete',
    path: '/api/v1/tokens/:token',
    permission: 'person',
    summary: 'Revokes a token: one’s own, or anybody’s for who manages members.',
    params: z.object({ token: id }),
  },
});
