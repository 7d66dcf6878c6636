/**
 * The life of one of several servers on a database: it stands by, leads, is fenced, and stands by again.
 *
 *   standing by --claim--> leading --lease lost--> ending --all of it ended--> standing by
 *
 * Owns: the looks and the beats. Does not own: when to claim (`judgeLease`), what leading is (`lead`).
 * Invariants
 *   TN1  what leads begins only when no session of an older term is left (SL2), and is ended before this server
 *        claims again: of one process two terms never run beside each other.
 *   TN2  beats go on from the claim to the end, while what leads is still being put together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseLook, ServerSeat } from '@millrace/store';
import type { Logger } from 'pino';
import { BEAT_EVERY_MS, judgeLease, LOOK_EVERY_MS, type Watch } from './judge-lease.ts';

export interface Led {
  /** `lost`: another one leads, and nothing can be written any more. */
  end(why: 'stop' | 'lost'): Promise<void>;
}

export interface TurnOptions {
  readonly seat: ServerSeat;
  /** Puts together what leads, under this term. `lost`: whoever notices first that the term is over says so. */
  lead(term: number, lost: () => void): Promise<Led>;
  /** Of every look while it stands by. */
  standBy(leader: string | undefined): void;
  readonly log: Logger;
}

export interface ServerTurn {
  /** When it is known for the first time whether it leads. Rejects when it should and could not. */
  readonly begun: Promise<'leads' | 'stands-by'>;
  stop(): Promise<void>;
}

/** After a take-over that failed, so that another server has its turn. */
const FAILED_MS = 5_000;

export function serverTurn(options: TurnOptions): ServerTurn {
  const stopping = new AbortController();
  const begun = settling<'leads' | 'stands-by'>();
  const over = takeTurns(options, stopping.signal, begun);
  return {
    begun: begun.promise,
    async stop() {
      stopping.abort();
      await over;
      await options.seat.close();
    },
  };
}

interface Settling<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function settling<T>(): Settling<T> {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

async function takeTurns(
  options: TurnOptions,
  stop: AbortSignal,
  begun: Settling<'leads' | 'stands-by'>,
): Promise<void> {
  const { seat, log } = options;
  let isFirst = true;
  while (!stop.aborted) {
    const term = await untilClaimed(options, stop, () => begun.resolve('stands-by'));
    if (term === undefined) break;
    log.info({ term }, 'this server leads');
    const outcome = await leadWhileItLasts(options, term, stop, () => begun.resolve('leads'));
    if (outcome.kind !== 'lost') await seat.giveBack(term).catch(() => undefined);
    if (outcome.kind === 'lost') log.warn({ term }, 'another server has taken over; this one stands by');
    if (outcome.kind === 'failed') {
      log.error({ err: outcome.error }, 'this server could not lead');
      begun.reject(outcome.error);
      if (isFirst) break;
      await pause(FAILED_MS, stop);
    }
    isFirst = false;
  }
  begun.reject(new Error('the server was stopped'));
}

/** Undefined: it was stopped. */
async function untilClaimed(
  { seat, standBy, log }: TurnOptions,
  stop: AbortSignal,
  settled: () => void,
): Promise<number | undefined> {
  let watch: Watch | undefined;
  let isAway = false;
  while (!stop.aborted) {
    try {
      const look: LeaseLook = await seat.look();
      isAway = false;
      const judged = judgeLease(watch, look);
      watch = judged.watch;
      if (judged.verdict === 'claim') {
        const term = await seat.claim(look);
        if (term !== undefined) return term;
        watch = undefined;
        continue;
      }
      standBy(look.leader?.address);
      if (look.leader?.isHere) settled();
    } catch (error) {
      watch = undefined;
      if (!isAway) log.warn({ err: error }, 'the database does not answer; this server cannot see who leads');
      isAway = true;
    }
    await pause(LOOK_EVERY_MS, stop);
  }
  return undefined;
}

type Outcome = { readonly kind: 'stopped' | 'lost' } | { readonly kind: 'failed'; readonly error: unknown };

/** TN1, TN2. */
async function leadWhileItLasts(
  options: TurnOptions,
  term: number,
  stop: AbortSignal,
  settled: () => void,
): Promise<Outcome> {
  const lost = new AbortController();
  const over = AbortSignal.any([lost.signal, stop]);
  const failed = new AbortController();
  const beats = beatUntil(options, term, AbortSignal.any([over, failed.signal]), () => lost.abort());
  let led: Led | undefined;
  try {
    await endOlder(options, term, over);
    if (!over.aborted) led = await options.lead(term, () => lost.abort());
    if (led !== undefined) settled();
  } catch (error) {
    failed.abort();
    await beats;
    return lost.signal.aborted ? { kind: 'lost' } : { kind: 'failed', error };
  }
  await beats;
  const isLost = lost.signal.aborted;
  await led?.end(isLost ? 'lost' : 'stop');
  return { kind: isLost ? 'lost' : 'stopped' };
}

async function beatUntil(
  { seat }: TurnOptions,
  term: number,
  over: AbortSignal,
  lost: () => void,
): Promise<void> {
  while (!over.aborted) {
    await pause(BEAT_EVERY_MS, over);
    if (over.aborted) return;
    // A database that is away is away for all: it is seen behind it who leads.
    if ((await seat.beat(term).catch(() => undefined)) === false) lost();
  }
}

async function endOlder({ seat, log }: TurnOptions, term: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      return await seat.endOlderTerms(term);
    } catch (error) {
      log.warn({ err: error }, 'what belongs to the server that led before is still there');
      await pause(LOOK_EVERY_MS, over);
    }
  }
}

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stop }).catch(() => undefined);
