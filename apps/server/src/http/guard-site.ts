/** Refuses requests for another host, and writes that another site could have caused. */
import type { RequestHandler } from 'express';
import { Problem } from './problem.ts';
import type { Site } from './site.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function guardSite(site: Site): RequestHandler {
  return (request, _response, next) => {
    const { host, origin, authorization, cookie } = request.headers;
    if (!site.allowsHost(host)) {
      throw new Problem(
        421,
        'wrong-host',
        `This server does not answer to that host name. Use its address, or start it with --public-url.`,
      );
    }
    if (SAFE.has(request.method) || authorization !== undefined) return next();
    if (origin !== undefined && !site.allowsOrigin(origin, host)) throw foreign();
    if (origin === undefined && cookie !== undefined) throw foreign();
    next();
  };
}

const foreign = (): Problem =>
  new Problem(
    403,
    'foreign-origin',
    'A change made with a cookie must come from this site: send its address in the Origin header, or use an API token.',
  );
