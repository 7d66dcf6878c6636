/**
 * The Express application: every route of the table in front of its handler, and nothing beside the table.
 * Order of a request: id and log · headers · Host and Origin · who · may they · body · handler.
 */
import { type RouteId, type RouteSpec, routeIds, routeSpec } from '@millrace/protocol/api';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Actor, NOBODY } from './actor.ts';
import { answerProblem, noSuchRoute } from './answer-problem.ts';
import { guardSite } from './guard-site.ts';
import type { Feature, Handler } from './handler.ts';
import { Problem } from './problem.ts';
import { readBody } from './read-body.ts';
import { localsOf, requestContext, requestLog } from './request-context.ts';
import { requireAccess, runHandler } from './run-handler.ts';
import { securityHeaders } from './security-headers.ts';
import type { Site } from './site.ts';

export interface Credentials {
  readonly headers: { readonly cookie?: string | undefined; readonly authorization?: string | undefined };
}
/** Also for sockets: their handshake has the same headers. Throws a `Problem` for a token that is not good. */
export type Authenticate = (request: Credentials) => Promise<Actor>;

export interface AppOptions {
  readonly log: Logger;
  readonly site: Site;
  readonly authenticate: Authenticate;
  /** Why nothing that needs the database can be answered now. */
  readonly available?: () => Problem | undefined;
  readonly features: readonly Feature[];
}

/** Express with what a test wants to know of it. */
export interface App {
  readonly express: Express;
  /** Routes of the table that no feature has bound; they answer 501. */
  readonly unbound: readonly RouteId[];
}

type AnyHandler = Handler<RouteId>;

export function createApp(options: AppOptions): App {
  const handlers = collect(options.features);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // A proxy in front of a public address runs on this machine; anybody else's word for an address is worth nothing.
  app.set('trust proxy', options.site.publicOrigin === undefined ? false : 'loopback');
  app.set('case sensitive routing', true);
  app.use(requestContext(options.log), securityHeaders(), guardSite(options.site));
  for (const id of routeIds) {
    const spec = routeSpec(id);
    const handler = handlers.get(id) ?? unboundHandler(id);
    app[spec.method](spec.path, admit(id, spec, options), readBody(spec), answer(spec, handler));
  }
  const page = handlers.get('instance.page');
  if (page !== undefined) app.use(pageOfNothing(page, options));
  app.use(noSuchRoute, answerProblem);
  return { express: app, unbound: routeIds.filter((id) => !handlers.has(id)) };
}

function collect(features: readonly Feature[]): Map<RouteId, AnyHandler> {
  const handlers = new Map<RouteId, AnyHandler>();
  for (const feature of features) {
    feature((id, handler) => {
      if (handlers.has(id)) throw new Error(`route ${id} is bound twice`);
      handlers.set(id, handler as unknown as AnyHandler);
    });
  }
  return handlers;
}

function admit(id: RouteId, spec: RouteSpec, { authenticate, available }: AppOptions): RequestHandler {
  // Pages and health must come while the database is away, and ask nobody who they are.
  const isOpen = id.startsWith('instance.');
  return async (request, response, next) => {
    const locals = localsOf(response);
    locals.routeId = id;
    if (isOpen) {
      locals.actor = NOBODY;
      return next();
    }
    const unavailable = available?.();
    if (unavailable) throw unavailable;
    const actor = await authenticate(request);
    locals.actor = actor;
    const { pipeline } = request.params;
    requireAccess(actor, spec, typeof pipeline === 'string' ? pipeline : undefined);
    if (!spec.path.startsWith('/api/')) return next();
    response.setHeader('Cache-Control', 'no-store');
    next();
  };
}

function answer(spec: RouteSpec, handler: AnyHandler): RequestHandler {
  return async (request, response) => {
    const { actor } = localsOf(response);
    if (!actor) throw new Error('a handler runs only behind admit');
    await runHandler(handler, { spec, request, response, actor, log: requestLog(response) });
  };
}

/** Under these, programs ask. */
const NO_PAGES = /^\/(?:api|in|assets)(?:\/|$)/;

/** A person who follows a wrong link is told so by the page, and can go on from there. */
function pageOfNothing(page: AnyHandler, options: AppOptions): RequestHandler {
  const spec = { ...routeSpec('instance.page'), status: 404 as const };
  const isForPeople: RequestHandler = (request, _response, next) => {
    const wants = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
    if (!wants || NO_PAGES.test(request.path)) return next('route');
    next();
  };
  const router = express.Router();
  router.get('/{*path}', isForPeople, admit('instance.page', spec, options), answer(spec, page));
  return router;
}

const unboundHandler =
  (id: RouteId): AnyHandler =>
  () =>
    new Problem(501, 'not-implemented', `This version does not have ${id} yet.`);
