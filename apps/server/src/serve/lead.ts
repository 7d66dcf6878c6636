/**
 * Composes what leads: accounts, catalog, documents, engine host, routes, sockets. What is started first is stopped
 * last. Every other part of the product that the server carries is added here, by name.
 */
import http from 'node:http';
import type { RouteId } from '@millrace/protocol/api';
import { openStore, type Store, type StorePlace } from '@millrace/store';
import { instanceId, sweepRateLimits, sweepSessions } from '@millrace/store/accounts';
import type { Logger } from 'pino';
import { accessChanges } from '../accounts/access-changes.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { authenticate } from '../accounts/authenticate.ts';
import { type FirstOwner, firstOwner } from '../accounts/first-owner.ts';
import { linkUrl } from '../accounts/links.ts';
import { passwords } from '../accounts/passwords.ts';
import { sessionCookie } from '../accounts/session-cookie.ts';
import { cases } from '../cases/case-feature.ts';
import { createApp } from '../http/create-app.ts';
import { site } from '../http/site.ts';
import { live } from '../live/live.ts';
import { recordMetrics } from '../metrics/record-metrics.ts';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';
import { version } from '../version.ts';
import { databaseAvailability } from './availability.ts';
import { composeFeatures } from './features.ts';
import { openCatalog } from './open-catalog.ts';
import { resealSecrets } from './reseal-secrets.ts';
import type { ServeOptions } from './serve-options.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';
import { type StopOrder, stopOrder } from './stop-order.ts';

export interface LeadOptions {
  readonly options: ServeOptions;
  readonly place: StorePlace;
  readonly log: Logger;
  /** Lets people in to what is composed; the address they reach it at. */
  open(server: http.Server): Promise<OpenedDoor>;
  /** Another host or server owns the database now. */
  lost?(): void;
}

export interface OpenedDoor {
  readonly address: string;
  close(why: EndOfLead): Promise<void>;
}

/** `lost`: nothing can be written any more, so nothing is waited for. */
export type EndOfLead = 'stop' | 'lost';

export interface LeadingServer {
  readonly address: string;
  /** Where there is no owner yet: the link that makes one. */
  readonly ownerLink: string | undefined;
  /** Routes of the table that nothing answers; a mistake of ours. */
  readonly unbound: readonly RouteId[];
  /** In order; resolves when all is stopped. */
  end(why: EndOfLead): Promise<void>;
}

/** Its pipelines are not drained: what is in flight is taken up by the next start. */
const HOST_STOP_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

export async function lead(options: LeadOptions): Promise<LeadingServer> {
  const stops = stopOrder(options.log);
  let why: EndOfLead = 'stop';
  try {
    const composed = await compose(options, stops, () => why);
    return {
      ...composed,
      end(because) {
        why = because;
        return stops.stop();
      },
    };
  } catch (error) {
    await stops.stop();
    throw error;
  }
}

async function compose(
  { options, place, log, open, lost }: LeadOptions,
  stops: StopOrder,
  why: () => EndOfLead,
): Promise<Omit<LeadingServer, 'end'>> {
  const opened = await openStore(place, (message) => log.info(message));
  stops.add('the database', () => opened.close());
  opened.onTrouble(({ kind }) => kind === 'taken-over' && lost?.());
  const services = await accountServices(options, opened);
  const { database } = opened;
  await resealSecrets(opened, { dataDir: options.dataDir, env: process.env }, log);
  // Two servers with a draft in memory each would overwrite one another.
  await opened.takeServer();
  const catalog = await openCatalog(opened, options.dataDir, log);
  stops.add('drafts', () => catalog.stop());
  const { store } = catalog;
  const engineHost = await engineHostOf(options, store, log);
  stops.add('the engine host', () => engineHost.stop(why() === 'lost' ? 0 : HOST_STOP_MS));
  const who = authenticate(database, services.cookie, log);
  const watching = live({
    ...{ store, services, source: engineHost, authenticate: who, documents: catalog.documents, log },
  });
  const numbers = recordMetrics(store, engineHost, log);
  const running = cases(catalog.context);
  stops.add('workers of cases', () => running.close());
  const parts = {
    options,
    store,
    services,
    catalog: catalog.context,
    engineHost,
    live: watching.feature,
    cases: running.feature,
    recent: numbers.recent,
    env: process.env,
  };
  const app = createApp({
    log,
    site: services.site,
    authenticate: who,
    available: databaseAvailability(store),
    features: composeFeatures(parts),
  });
  const server = http.createServer(app.express);
  watching.attach(server);
  const owner = await firstOwner(database, services.passwords, options.owner);
  const { address, close } = await open(server);
  stops.add('HTTP', () => close(why()));
  stops.add('sockets', () => watching.close());
  stops.add('keeping numbers', numbers.stop);
  engineHost.start();
  stops.add('sweeping', sweepNowAndThen(store, log));
  await announce(options, store, address, stops);
  log.info({ address, version, owner: owner.kind }, 'serving');
  return { address, unbound: app.unbound, ownerLink: ownerLink(owner, address) };
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
