/** The team: members, invitations, the workspace, the audit log. */
import { z } from 'zod';
import { displayName, email, id, password, role, secret, time } from '../fields.ts';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';
import { meSchema } from './accounts.ts';

const linkSchema = {
  /** Shown once: only its hash is kept. */
  url: z.string().meta({ description: 'The link to send. It is shown once, and good once.' }),
  expiresAt: time,
};

export const memberRoutes = defineRoutes({
  'members.list': {
    method: 'get',
    path: '/api/v1/members',
    permission: 'graph.read',
    summary: 'Who belongs to the workspace.',
    response: z.object({
      items: z.array(z.object({ account: id, email: z.string(), name: z.string(), role, joinedAt: time })),
    }),
  },
  'members.change-role': {
    method: 'patch',
    path: '/api/v1/members/:account',
    permission: 'members.manage',
    summary: 'Gives a member another role. The last owner stays owner.',
    params: z.object({ account: id }),
    body: z.object({ role }),
  },
  'members.remove': {
    method: 'delete',
    path: '/api/v1/members/:account',
    permission: 'members.manage',
    summary: 'Takes a member out of the workspace; sessions and tokens end at once.',
    params: z.object({ account: id }),
  },
  'members.password-link': {
    method: 'post',
    path: '/api/v1/members/:account/password-link',
    permission: 'members.manage',
    summary: 'Makes a single-use link with which a member sets a new password.',
    params: z.object({ account: id }),
    response: z.object(linkSchema),
    status: 201,
  },
  'invitations.list': {
    method: 'get',
    path: '/api/v1/invitations',
    permission: 'members.manage',
    summary: 'Invitations that are still open.',
    response: z.object({
      items: z.array(
        z.object({
          id,
          role,
          email: z.string().nullable(),
          invitedBy: z.string().nullable(),
          createdAt: time,
          expiresAt: time,
        }),
      ),
    }),
  },
  'invitations.create': {
    method: 'post',
    path: '/api/v1/invitations',
    permission: 'members.manage',
    summary: 'Makes a single-use invitation link, for anybody or for one e-mail address.',
    body: z.object({ role, email: email.optional() }),
    response: z.object({ id, ...linkSchema }),
    status: 201,
  },
  'invitations.revoke': {
    method: 'delete',
    path: '/api/v1/invitations/:invitation',
    permission: 'members.manage',
    summary: 'Takes an open invitation back.',
    params: z.object({ invitation: id }),
  },
  'invitations.look': {
    method: 'post',
    path: '/api/v1/invitations/look',
    permission: 'public',
    summary: 'What an invitation link is for.',
    body: z.object({ secret }),
    response: z.object({ workspace: z.string(), role, email: z.string().nullable() }),
  },
  'invitations.accept': {
    method: 'post',
    path: '/api/v1/invitations/accept',
    permission: 'public',
    summary: 'Makes an account with an invitation’s secret, and logs in.',
    body: z.object({ secret, email, name: displayName.optional(), password }),
    response: meSchema,
    status: 201,
  },
  'workspace.rename': {
    method: 'patch',
    path: '/api/v1/workspace',
    permission: 'settings.manage',
    summary: 'Renames the workspace.',
    body: z.object({ name: displayName }),
  },
  'audit.list': {
    method: 'get',
    path: '/api/v1/audit',
    permission: 'settings.manage',
    summary: 'Who changed what, newest first.',
    query: z.object({
      ...pageQuery,
      target: z.string().max(200).optional(),
      action: z.string().max(100).optional(),
    }),
    response: pageOf(
      z.object({
        number: z.number(),
        at: time,
        actorKind: z.enum(['account', 'token', 'system']),
        actor: z.string(),
        actorName: z.string(),
        action: z.string(),
        target: z.string().nullable(),
        targetName: z
          .string()
          .nullable()
          .meta({ description: 'Of a pipeline, a person, a token: its name.' }),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
  },
});
