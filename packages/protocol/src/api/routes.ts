/** The table of all routes. An area has a file under `routes/` and one line here. */
import type { RouteSpec } from './route.ts';
import { accessRoutes } from './routes/access.ts';
import { accountRoutes } from './routes/accounts.ts';
import { caseRoutes } from './routes/cases.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { deadLetterRoutes } from './routes/dead-letters.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { fileRoutes } from './routes/files.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { instanceRoutes } from './routes/instance.ts';
import { liveRoutes } from './routes/live.ts';
import { memberRoutes } from './routes/members.ts';
import { metricRoutes } from './routes/metrics.ts';
import { secretRoutes } from './routes/secrets.ts';
import { tokenRoutes } from './routes/tokens.ts';

export const ROUTES = {
  ...instanceRoutes,
  ...catalogRoutes,
  ...caseRoutes,
  ...accountRoutes,
  ...memberRoutes,
  ...liveRoutes,
  ...deadLetterRoutes,
  ...tokenRoutes,
  ...secretRoutes,
  ...accessRoutes,
  ...deploymentRoutes,
  ...metricRoutes,
  ...fileRoutes,
  ...ingestRoutes,
};

export type RouteId = keyof typeof ROUTES;
export type RouteOf<Id extends RouteId> = (typeof ROUTES)[Id];

export const routeIds = Object.keys(ROUTES) as readonly RouteId[];

export const routeSpec = (id: RouteId): RouteSpec => ROUTES[id];
