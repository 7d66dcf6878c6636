/** The id and the logger of a request, kept with its response. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Actor } from './actor.ts';

interface Locals {
  requestId: string;
  log: Logger;
  routeId?: string;
  actor?: Actor;
}

export const localsOf = (response: Response): Locals => response.locals as Locals;
export const requestId = (response: Response): string => localsOf(response).requestId;
export const requestLog = (response: Response): Logger => localsOf(response).log;

/** Logs one line per request when it is over: no query, no header, no body, since those hold secrets. */
export function requestContext(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const id = randomUUID();
    Object.assign(response.locals, { requestId: id, log: log.child({ request: id }) });
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      const { routeId, actor, log: own } = localsOf(response);
      const who =
        actor?.kind === 'token' ? actor.token : actor?.kind === 'account' ? actor.account : undefined;
      const ms = Math.round(performance.now() - started);
      const outcome = { method: request.method, route: routeId, status: response.statusCode, ms, who };
      own.debug(response.writableFinished ? outcome : { ...outcome, aborted: true }, 'request');
    });
    next();
  };
}
