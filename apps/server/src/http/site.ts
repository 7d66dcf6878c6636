/**
 * Which `Host` and `Origin` headers belong to this server. A foreign Host is a rebound DNS name or a mistake; a
 * foreign Origin is another site acting with our visitor's cookie.
 */
import { isIP } from 'node:net';
import os from 'node:os';

export interface SiteOptions {
  /** The address listened on. */
  readonly host: string;
  readonly publicUrl: URL | undefined;
}

export interface Site {
  allowsHost(header: string | undefined): boolean;
  /** `host`: the request's own Host, already allowed. Ports count: another port is another program. */
  allowsOrigin(origin: string, host: string | undefined): boolean;
  /** Whether cookies are sent over https only. */
  readonly secure: boolean;
  /** Set: somebody in front of us may say for whom it asks. */
  readonly publicOrigin: string | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export function site({ host, publicUrl }: SiteOptions): Site {
  const everywhere = EVERYWHERE.has(host);
  const names = new Set([
    ...LOOPBACK,
    host,
    ...(everywhere ? [os.hostname().toLowerCase()] : []),
    ...(publicUrl ? [bare(publicUrl.hostname)] : []),
  ]);
  return {
    publicOrigin: publicUrl?.origin,
    secure: publicUrl?.protocol === 'https:',
    allowsHost(header) {
      const name = hostName(header);
      if (name === undefined) return false;
      // No DNS name can be rebound to look like an address, and we listen on all of them.
      return names.has(name) || (everywhere && isIP(name) !== 0);
    },
    allowsOrigin(origin, requestHost) {
      const from = parse(origin);
      if (!from || from.origin !== origin) return false;
      if (from.origin === publicUrl?.origin) return true;
      const own = parse(`${from.protocol}//${requestHost ?? ''}`);
      return own !== undefined && own.host === from.host && this.allowsHost(requestHost);
    },
  };
}

function hostName(header: string | undefined): string | undefined {
  if (!header || !/^[a-z0-9.:[\]_-]+$/i.test(header)) return undefined;
  const url = parse(`http://${header}`);
  return url && url.pathname === '/' ? bare(url.hostname) : undefined;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();
