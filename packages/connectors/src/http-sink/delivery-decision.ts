/**
 * What an answer means for the records of a request (P7). Pure.
 *
 *   delivered  the target has them
 *   again      the target is away or overloaded: wait, then send the same once more, for ever
 *   refused    it will not take them: one record is a dead letter, several are halved to find which
 */
import type { HttpAnswer } from '../shared/http-client.ts';

export type Decision =
  | { readonly kind: 'delivered' }
  /** `waitMs` undefined: by the back-off. */
  | { readonly kind: 'again'; readonly why: string; readonly waitMs: number | undefined }
  | { readonly kind: 'refused'; readonly why: string };

const LONGEST_RETRY_AFTER_MS = 60 * 60_000;
/** Statuses below 500 that say "later": request timeout, too early, too many requests. */
const LATER: readonly number[] = [408, 425, 429];

export function decide(answer: HttpAnswer, now: number): Decision {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const why = `it answered ${status}`;
  if (status >= 500 || LATER.includes(status)) {
    return { kind: 'again', why, waitMs: retryAfterMs(answer.retryAfter, now) };
  }
  if (status >= 300 && status < 400) {
    return {
      kind: 'refused',
      why: `${why}, a redirect that would lose the body: send to that address itself`,
    };
  }
  return { kind: 'refused', why };
}

/** Seconds, or a date; undefined for anything else. At most an hour: a target cannot put a pipeline to sleep. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms)) : undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 60_000;

/** 250 ms, 500 ms, … 1 min, of which between half and all is waited: targets that come back are not met by all at once. */
export function waitMs(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (0.5 + random() / 2));
}
