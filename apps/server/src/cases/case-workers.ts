/**
 * Workers that try code out: one for each open editor, a few in all.
 *
 * CW1 There are never more than `most`, nor more than `each` of one account.
 * CW2 Where all are at work, whoever asks is told how many are before him; who asks first gets the next that is free.
 *     A place in the line is lost by not asking for a while.
 * CW3 One that nobody asked anything for `idleMs` is ended; one that rests makes room for whoever has none.
 */
import type { TriedCode } from '@millrace/deployment';

export interface CaseWorkerLimits {
  readonly most: number;
  readonly each: number;
  readonly idleMs: number;
  readonly lineMs: number;
}

export interface Asker {
  readonly account: string;
  /** Any name the editor gave itself. */
  readonly editor: string;
}

export type Turn<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'queued'; readonly ahead: number }
  /** The same editor's last question is not answered yet. */
  | { readonly kind: 'busy' };

export interface CaseWorkers {
  run<T>(asker: Asker, job: (code: TriedCode) => Promise<T>): Promise<Turn<T>>;
  close(): void;
}

interface Place {
  readonly name: string;
  readonly account: string;
  readonly code: TriedCode;
  isBusy: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export const CASE_LIMITS: CaseWorkerLimits = { most: 8, each: 3, idleMs: 60_000, lineMs: 5_000 };
const MOST_IN_LINE = 1_000;

export function caseWorkers(open: () => TriedCode, limits: CaseWorkerLimits = CASE_LIMITS): CaseWorkers {
  // Both in order: the place that rested longest first, whoever asked first before those who came later.
  const places = new Map<string, Place>();
  const line = new Map<string, { readonly account: string; askedAt: number }>();

  const end = (place: Place): void => {
    clearTimeout(place.timer);
    places.delete(place.name);
    place.code.close();
  };
  const resting = (account?: string): Place[] =>
    [...places.values()].filter(
      (each) => !each.isBusy && (account === undefined || each.account === account),
    );
  const countOf = (account: string): number =>
    [...places.values()].filter((place) => place.account === account).length;
  /** Whether a worker could be had now, by ending one that rests if need be. */
  const mayHave = (account: string): boolean =>
    countOf(account) >= limits.each
      ? resting(account).length > 0
      : places.size < limits.most || resting().length > 0;
  const dropSilent = (now: number): void => {
    for (const [name, { askedAt }] of line) if (now - askedAt > limits.lineMs) line.delete(name);
  };

  const enter = (name: string, account: string): Place => {
    line.delete(name);
    const isFull = countOf(account) >= limits.each;
    const [leaving] = isFull ? resting(account) : places.size >= limits.most ? resting() : [];
    if (leaving !== undefined) end(leaving);
    const place = { name, account, code: open(), isBusy: false, timer: undefined };
    places.set(name, place);
    return place;
  };

  const place = (name: string, { account }: Asker): Place | number => {
    const found = places.get(name);
    if (found !== undefined) return found;
    const now = performance.now();
    dropSilent(now);
    const others = [...line].filter(([of, each]) => of !== name && mayHave(each.account));
    const before = line.has(name) ? others.filter(([of]) => isBefore(of, name)).length : others.length;
    const free = limits.most - places.size + resting().length;
    if (mayHave(account) && before < free) return enter(name, account);
    if (line.size < MOST_IN_LINE || line.has(name)) line.set(name, { account, askedAt: now });
    return [...line.keys()].indexOf(name);
  };
  const isBefore = (one: string, other: string): boolean => {
    const names = [...line.keys()];
    return names.indexOf(one) < names.indexOf(other);
  };

  return {
    async run(asker, job) {
      const name = JSON.stringify([asker.account, asker.editor]);
      const found = place(name, asker);
      if (typeof found === 'number') return { kind: 'queued', ahead: Math.max(0, found) };
      if (found.isBusy) return { kind: 'busy' };
      found.isBusy = true;
      clearTimeout(found.timer);
      try {
        return { kind: 'done', result: await job(found.code) };
      } finally {
        found.isBusy = false;
        if (places.get(name) === found) {
          places.delete(name);
          places.set(name, found);
          found.timer = setTimeout(() => end(found), limits.idleMs);
          found.timer.unref();
        }
      }
    },
    close() {
      for (const each of [...places.values()]) end(each);
    },
  };
}
