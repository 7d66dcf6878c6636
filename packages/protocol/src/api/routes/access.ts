/** What an admin lets connectors reach beyond the workspace's files and the public network. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** A name or an address, IPv6 in brackets, each with a port or for all ports. No wildcards, no ranges. */
export const allowedHost = z
  .string()
  .max(300)
  .transform((text) => text.trim().toLowerCase())
  .pipe(
    z.string().regex(/^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?)(:\d{1,5})?$/, {
      message: 'not a host: write a name or an address, IPv6 in brackets, with or without a port',
    }),
  );

const settings = {
  folders: z
    .array(z.string().min(1).max(4096))
    .max(100)
    .meta({ description: 'Absolute paths on the server, in which file connectors may read and write.' }),
  hosts: z.array(allowedHost).max(1000).meta({
    description:
      'Hosts with private addresses that connectors may reach: `name`, `name:port`, `[address]:port`.',
  }),
};

export const accessRoutes = defineRoutes({
  'access.read': {
    method: 'get',
    path: '/api/v1/settings/access',
    permission: 'settings.manage',
    summary: 'Folders and private hosts that connectors may reach.',
    response: z.object(settings),
  },
  'access.write': {
    method: 'put',
    path: '/api/v1/settings/access',
    permission: 'settings.manage',
    summary: 'Change what connectors may reach. Holds for pipelines from their next start on.',
    body: z.strictObject(settings),
    ifMatch: true,
    response: z.object(settings),
  },
});
