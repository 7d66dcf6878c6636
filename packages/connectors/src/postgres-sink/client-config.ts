/**
 * How to connect to another database, from its URL.
 *
 * Behind the walls of a server: over TCP only, since a Unix socket is this machine's, and so is every file that a
 * certificate setting would name; to a guarded address; and with nothing of the server's own environment
 * (`PGPASSWORD`, `~/.pgpass`), which a hostile server would otherwise be sent.
 */
import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { type AddressRules, guardedLookup, refuseHost } from '../shared/address-guard.ts';

/** The URL asks for what is not allowed behind walls. */
export class UrlRefusedError extends Error {
  readonly code = 'url-refused';
  readonly remedy = 'Write `url` as postgres://user:password@host:port/database.';
}

const DEFAULT_PORT = 5432;
const KNOWN: readonly string[] = ['sslmode', 'application_name', 'connect_timeout'];

export function clientConfig(url: string, rules: AddressRules | undefined): ClientConfig {
  if (rules === undefined) return { connectionString: url };
  const { hostname, port: portText, username, password, pathname, searchParams } = read(url);
  const port = Number(portText || DEFAULT_PORT);
  const host = hostname.replace(/^\[|\]$/g, '');
  refuseHost({ host, port }, rules);
  const user = decodeURIComponent(username);
  return {
    ...{ host, port, user, database: decodeURIComponent(pathname.slice(1)) || user },
    password: () => decodeURIComponent(password),
    ssl: sslOf(searchParams.get('sslmode')),
    stream: () => guardedSocket(rules),
  };
}

function read(text: string): URL {
  if (!URL.canParse(text)) throw refused('it cannot be read as an address');
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol))
    throw refused('it does not begin with postgres:// or postgresql://');
  if (url.hostname === '' || /%|\//.test(url.hostname))
    throw refused('it names no host; sockets of this machine are not for pipelines');
  if (url.username === '') throw refused('it names no user');
  for (const name of url.searchParams.keys())
    if (!KNOWN.includes(name)) throw refused(`it has the setting ${JSON.stringify(name.slice(0, 40))}`);
  return url;
}

const refused = (why: string): UrlRefusedError =>
  new UrlRefusedError(
    `on this server an address may hold user, password, host, port, database and ${KNOWN.join(', ')}, but ${why}.`,
  );

/** As libpq names them; `prefer` and `allow` fall back to an open connection, so they are one. */
function sslOf(mode: string | null): NonNullable<ClientConfig['ssl']> {
  if (mode === null || mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  if (mode === 'no-verify' || mode === 'require') return { rejectUnauthorized: false };
  if (mode === 'verify-ca' || mode === 'verify-full') return { rejectUnauthorized: true };
  throw refused('its sslmode is none');
}

/** The client connects with `connect(port, host)`; the name is resolved under guard and the answer connected to. */
function guardedSocket(rules: AddressRules): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (options: object) => Socket;
  socket.connect = ((port: number, host: string) =>
    connect({ port, host, lookup: guardedLookup(port, rules) })) as typeof socket.connect;
  return socket;
}
