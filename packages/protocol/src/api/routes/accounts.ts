/** One's own account: first owner, log-in, log-out, sessions, password. */
import { z } from 'zod';
import { displayName, email, id, password, role, scope, secret, time } from '../fields.ts';
import { defineRoutes } from '../route.ts';

export const meSchema = z.object({
  kind: z.enum(['account', 'token']),
  account: z.object({ id, email: z.string().nullable(), name: z.string() }),
  workspace: z.object({ id, name: z.string() }),
  /** Null for a token. */
  role: role.nullable(),
  scopes: z.array(scope),
  /** Of a token that is good for one pipeline only. */
  pipeline: z.string().nullable(),
});

const loggedIn = { response: meSchema } as const;

export const accountRoutes = defineRoutes({
  'account.setup': {
    method: 'post',
    path: '/api/v1/setup',
    permission: 'public',
    summary: 'Makes the owner account with the secret of a single-use link, and logs in.',
    body: z.object({ secret, email, name: displayName.optional(), password }),
    ...loggedIn,
    status: 201,
  },
  'account.login': {
    method: 'post',
    path: '/api/v1/login',
    permission: 'public',
    summary: 'Logs in: the answer sets the session’s cookie. Limited per account and address (429).',
    body: z.object({
      // Whatever has no account is answered alike; a zero byte the database could not even look for.
      email: z
        .string()
        .max(254)
        .refine((text) => !text.includes('\0'), 'holds a zero byte'),
      password: z.string().max(200),
    }),
    ...loggedIn,
  },
  'account.logout': {
    method: 'post',
    path: '/api/v1/logout',
    permission: 'person',
    summary: 'Ends this session.',
  },
  'account.me': {
    method: 'get',
    path: '/api/v1/me',
    permission: 'session',
    summary: 'Who one is, and what one may do.',
    ...loggedIn,
  },
  'account.rename': {
    method: 'patch',
    path: '/api/v1/me',
    permission: 'person',
    summary: 'Changes one’s own name.',
    body: z.object({ name: displayName }),
  },
  'account.change-password': {
    method: 'post',
    path: '/api/v1/me/password',
    permission: 'person',
    summary: 'Changes the password and ends all other sessions.',
    body: z.object({ current: z.string().max(200), next: password }),
  },
  'account.reset-password': {
    method: 'post',
    path: '/api/v1/password-reset',
    permission: 'public',
    summary: 'Sets a new password with the secret of a single-use link; ends all sessions of the account.',
    body: z.object({ secret, password }),
  },
  'account.leave': {
    method: 'post',
    path: '/api/v1/leave',
    permission: 'person',
    summary: 'Leaves the workspace. The last owner cannot.',
  },
  'sessions.list': {
    method: 'get',
    path: '/api/v1/sessions',
    permission: 'person',
    summary: 'Where one is logged in.',
    response: z.object({
      items: z.array(
        z.object({ id, userAgent: z.string(), current: z.boolean(), createdAt: time, lastUsedAt: time }),
      ),
    }),
  },
  'sessions.end-all': {
    method: 'delete',
    path: '/api/v1/sessions',
    permission: 'person',
    summary: 'Logs out everywhere, this session included.',
  },
  'sessions.end': {
    method: 'delete',
    path: '/api/v1/sessions/:session',
    permission: 'person',
    summary: 'Ends one of one’s own sessions.',
    params: z.object({ session: id }),
  },
});
