/** Strict headers for everything: the page needs nothing from elsewhere, and nothing may embed it. */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        // The product works on plain http at a LAN address.
        upgradeInsecureRequests: null,
      },
    },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    // Only where the public address is https, and there the proxy says so.
    strictTransportSecurity: false,
  });
}
