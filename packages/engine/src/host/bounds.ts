/** How much one pipeline may keep in the memory of its host before somebody has to wait. */
import type { Deliveries } from './deliveries.ts';
import { UNFOLDED_BOUND } from './fold-loop.ts';
import type { PagedStore } from './paged/paged-store.ts';

/** Of input and answers queued in the pipe to one worker. */
export const WORKER_BACKLOG_BYTES = 4 * 1024 * 1024;
/**
 * Of sources in the pipe to one worker: what it is told meanwhile lies behind them. Enough that the pipe is never empty
 * while the host does something else for a few milliseconds, and so that many chunks leave in one system call.
 */
export const SOURCE_BACKLOG_BYTES = 1.5 * 1024 * 1024;
/** Deliveries with one worker that its own commits do not cover. */
export const WORKER_BACKLOG_ITEMS = 64;
export const UNDELIVERED_BOUND = 64 * 1024 * 1024;
/** Waiting would help nobody here: workers take from each other only while they commit. */
export const MOST_EXCHANGED = 1024 * 1024 * 1024;
/** Beyond these a worker waits for its commits (PH5); a pipeline that is only fast has its injectors paused first. */
const HARD_UNFOLDED = 2 * UNFOLDED_BOUND;
const HARD_SINKS = 4 * UNDELIVERED_BOUND;

/** PH5: what workers have committed outruns the folder or the sinks. */
export function outrunsHost(
  paged: Pick<PagedStore, 'unfoldedBytes'>,
  deliveries: Pick<Deliveries, 'sinkBytes'>,
): boolean {
  return paged.unfoldedBytes > HARD_UNFOLDED || deliveries.sinkBytes > HARD_SINKS;
}

/** Workers have sent each other more than they will ever take. */
export function exchangesTooMuch(deliveries: Pick<Deliveries, 'bytes' | 'sinkBytes'>): boolean {
  return deliveries.bytes - deliveries.sinkBytes > MOST_EXCHANGED;
}
