/**
 * Starts the server: alone on a Postgres of its own, or taking turns with others on the one of `DATABASE_URL`, where
 * one leads and the rest stand by.
 */
import { isIPv6 } from 'node:net';
import type { RouteId } from '@millrace/protocol/api';
import { takeSeat } from '@millrace/store';
import type { Logger } from 'pino';
import { site } from '../http/site.ts';
import { frontDoor } from '../standby/front-door.ts';
import { serverTurn } from '../standby/server-turn.ts';
import { standingBy } from '../standby/standing-by.ts';
import { type LeadingServer, lead } from './lead.ts';
import { closeServer, type Listening, listen } from './listen.ts';
import type { ServeOptions } from './serve-options.ts';

export interface RunningServer extends Listening {
  /** What to open in a browser. */
  readonly address: string;
  /** Where there is no owner yet: the link that makes one. */
  readonly ownerLink: string | undefined;
  /** Routes of the table that nothing answers; a mistake of ours. Of one that leads. */
  readonly unbound: readonly RouteId[];
  /** Set: it stands by, for whoever leads at this address. */
  readonly standsBy?: { readonly for: string | undefined } | undefined;
  /** In order; resolves when all is stopped. */
  stop(): Promise<void>;
}

export function startServer(options: ServeOptions, log: Logger): Promise<RunningServer> {
  const { databaseUrl } = options;
  return databaseUrl === undefined ? serveAlone(options, log) : serveInTurn(options, databaseUrl, log);
}

async function serveAlone(options: ServeOptions, log: Logger): Promise<RunningServer> {
  let listening: Listening | undefined;
  const leading = await lead({
    options,
    place: { dataDir: options.dataDir },
    log,
    async open(server) {
      listening = await listen(server, options.host, options.port);
      return { address: addressOf(options, listening.port), close: () => closeServer(server) };
    },
  });
  return { ...(listening as Listening), ...leading, stop: () => leading.end('stop') };
}

/** The address is taken first: it is what the others are told. */
async function serveInTurn(options: ServeOptions, url: string, log: Logger): Promise<RunningServer> {
  const door = frontDoor();
  const listening = await listen(door.server, options.host, options.port);
  const address = addressOf(options, listening.port);
  const waiting = standingBy(site(options), address);
  door.lead(waiting.server);
  const close = () => closeServer(door.server);
  try {
    const seat = await takeSeat(url, address);
    let leading: LeadingServer | undefined;
    let leader: string | undefined;
    const turn = serverTurn({
      seat,
      log,
      standBy(of) {
        if (of !== leader) log.info({ leader: of }, 'this server stands by');
        leader = of;
        waiting.leads(of);
      },
      async lead(term, lost) {
        waiting.leads(undefined);
        leading = await lead({
          ...{ options, log, lost },
          place: { url, term },
          async open(server) {
            door.lead(server);
            return {
              address,
              async close(why) {
                door.lead(waiting.server);
                await door.emptied(server, why === 'lost' ? 0 : CLOSE_LIMIT_MS);
              },
            };
          },
        });
        return leading;
      },
    });
    const stop = () => turn.stop().finally(close);
    const begun = await turn.begun.catch(async (error: unknown) => {
      await turn.stop();
      throw error;
    });
    const common = { ...listening, address, stop };
    if (begun === 'leads' && leading !== undefined)
      return { ...common, ownerLink: leading.ownerLink, unbound: leading.unbound };
    return { ...common, ownerLink: undefined, unbound: [], standsBy: { for: leader } };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Requests on their way have so long to be answered before the server that answers them is stopped. */
const CLOSE_LIMIT_MS = 3_000;

/** `http://127.0.0.1:4780`: where the server listens on all addresses, the one that works here. */
function addressOf({ host, publicUrl }: ServeOptions, port: number): string {
  if (publicUrl) return publicUrl.origin;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
