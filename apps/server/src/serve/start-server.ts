/**
 * Composes the server: database, accounts, features, HTTP. What is started first is stopped last. Every other
 * part of the product that the server carries is added here, by name.
 */
import http from 'node:http';
import { isIPv6 } from 'node:net';
import type { RouteId } from '@millrace/protocol/api';
import { openStore, type Store } from '@millrace/store';
import { instanceId, sweepRateLimits, sweepSessions } from '@millrace/store/accounts';
import type { Logger } from 'pino';
import { accessChanges } from '../accounts/access-changes.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { authenticate } from '../accounts/authenticate.ts';
import { type FirstOwner, firstOwner } from '../accounts/first-owner.ts';
import { linkUrl } from '../accounts/links.ts';
import { passwords } from '../accounts/passwords.ts';
import { sessionCookie } from '../accounts/session-cookie.ts';
import { createApp } from '../http/create-app.ts';
import { site } from '../http/site.ts';
import { live } from '../live/live.ts';
import { recordMetrics } from '../metrics/record-metrics.ts';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { version } from '../version.ts';
import { databaseAvailability } from './availability.ts';
import { composeFeatures } from './features.ts';
import { type Listening, listen } from './listen.ts';
import { openCatalog } from './open-catalog.ts';
import { resealSecrets } from './reseal-secrets.ts';
import type { ServeOptions } from './serve-options.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';
import { type StopOrder, stopOrder } from './stop-order.ts';

export interface RunningServer extends Listening {
  /** What to open in a browser. */
  readonly address: string;
  /** Where there is no owner yet: the link that makes one. */
  readonly ownerLink: string | undefined;
  /** Routes of the table that nothing answers; a mistake of ours. */
  readonly unbound: readonly RouteId[];
  /** In order; resolves when all is stopped. */
  stop(): Promise<void>;
}

/** Its pipelines are not drained: what is in flight is taken up by the next start. */
const HOST_STOP_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

export async function startServer(options: ServeOptions, log: Logger): Promise<RunningServer> {
  const stops = stopOrder(log);
  try {
    return await compose(options, log, stops);
  } catch (error) {
    await stops.stop();
    throw error;
  }
}

async function compose(options: ServeOptions, log: Logger, stops: StopOrder): Promise<RunningServer> {
  const opened = await openDatabase(options, log);
  stops.add('the database', () => opened.close());
  const services = await accountServices(options, opened);
  const { database } = opened;
  await resealSecrets(opened, { dataDir: options.dataDir, env: process.env }, log);
  // Two servers with a draft in memory each would overwrite one another.
  await opened.takeServer();
  const catalog = await openCatalog(opened, options.dataDir, log);
  stops.add('drafts', () => catalog.stop());
  const { store } = catalog;
  const engineHost = await engineHostOf(options, store, log);
  stops.add('the engine host', () => engineHost.stop(HOST_STOP_MS));
  const who = authenticate(database, services.cookie, log);
  const watching = live({
    ...{ store, services, source: engineHost, authenticate: who, documents: catalog.documents, log },
  });
  const numbers = recordMetrics(store, engineHost, log);
  const parts = {
    options,
    store,
    services,
    catalog: catalog.context,
    engineHost,
    live: watching.feature,
    recent: numbers.recent,
    env: process.env,
  };
  const features = composeFeatures(parts);
  const app = createApp({
    log,
    site: services.site,
    authenticate: who,
    available: databaseAvailability(store),
    features,
  });
  const server = http.createServer(app.express);
  watching.attach(server);
  const owner = await firstOwner(database, services.passwords, options.owner);
  const listening = await listen(server, options.host, options.port);
  stops.add('HTTP', () => closeServer(server));
  stops.add('sockets', () => watching.close());
  stops.add('keeping numbers', numbers.stop);
  engineHost.start();
  stops.add('sweeping', sweepNowAndThen(store, log));
  const address = addressOf(options, listening.port);
  await announce(options, store, address, stops);
  log.info({ address, version, owner: owner.kind }, 'serving');
  const { unbound } = app;
  return { ...listening, address, unbound, ownerLink: ownerLink(owner, address), stop: () => stops.stop() };
}

async function engineHostOf(
  { dataDir, paused }: ServeOptions,
  store: Store,
  log: Logger,
): Promise<Supervisor> {
  if (paused) await store.deployments.pauseAll();
  const own = log.child({ part: 'engine-host' });
  return superviseEngineHost({
    address: () => store.address(),
    dataDir,
    holdPaused: paused,
    log: (message) => own.info(message),
  });
}

function openDatabase({ dataDir, databaseUrl }: ServeOptions, log: Logger): Promise<Store> {
  const place = databaseUrl === undefined ? { dataDir } : { url: databaseUrl };
  return openStore(place, (message) => log.info(message));
}

async function accountServices(options: ServeOptions, { database }: Store): Promise<AccountServices> {
  const rules = site(options);
  return {
    database,
    site: rules,
    cookie: sessionCookie(await instanceId(database), rules.secure),
    passwords: passwords(),
    access: accessChanges(),
  };
}

/** Idle connections are closed at once, the others when they have their answer, at the latest after this. */
const CLOSE_LIMIT_MS = 3_000;

async function closeServer(server: http.Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

function sweepNowAndThen({ database }: Store, log: Logger): () => void {
  const sweep = () => {
    Promise.all([sweepSessions(database), sweepRateLimits(database)]).catch((error) =>
      log.warn({ err: error }, 'old sessions were not swept'),
    );
  };
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** `http://127.0.0.1:4780`: where the server listens on all addresses, the one that works here. */
function addressOf({ host, publicUrl }: ServeOptions, port: number): string {
  if (publicUrl) return publicUrl.origin;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

async function announce(options: ServeOptions, store: Store, address: string, stops: StopOrder) {
  const database = await store.address();
  writeServerFile(options.dataDir, {
    pid: process.pid,
    address,
    ...('socketFolder' in database && { database }),
  });
  stops.add('the note of where the server is', () => removeServerFile(options.dataDir));
}

const ownerLink = (owner: FirstOwner, address: string): string | undefined =>
  owner.kind === 'wanted' ? linkUrl(address, 'setup', owner.secret) : undefined;
