/** The table of all routes. An area has a file under `routes/` and one line here. */
import type { RouteSpec } from './route.ts';
import { instanceRoutes } from './routes/instance.ts';

export const ROUTES = {
  ...instanceRoutes,
};

export type RouteId = keyof typeof ROUTES;
export type RouteOf<Id extends RouteId> = (typeof ROUTES)[Id];

export const routeIds = Object.keys(ROUTES) as readonly RouteId[];

export const routeSpec = (id: RouteId): RouteSpec => ROUTES[id];
