/**
 * The last minute of each stream's rate, a value a second: what sparklines show. It is filled from behind with what
 * the server has kept, so that a page just opened does not begin with nothing.
 */
import type { View } from '@millrace/protocol/api';

export const SECONDS_KEPT = 60;

export interface RateHistory {
  /** Of each second the first view counts: a rate is over a second anyway. True where a second was added. */
  readonly take: (view: View) => boolean;
  /** What was measured before; known seconds stay. `at` in UTC ms, going up. */
  readonly fill: (at: readonly number[], streams: KeptRates) => void;
  /** Oldest first, null where nothing was measured; empty where nothing is known. */
  readonly of: (stream: string) => readonly (number | null)[];
  readonly forget: () => void;
}

type KeptRates = Readonly<Record<string, { readonly rate?: readonly (number | null)[] | undefined }>>;

export function createRateHistory(): RateHistory {
  const rates = new Map<string, Map<number, number>>();
  let newest: number | undefined;

  const put = (stream: string, second: number, rate: number): void => {
    const known = rates.get(stream) ?? new Map<number, number>();
    rates.set(stream, known);
    if (!known.has(second)) known.set(second, rate);
  };
  const isKept = (second: number): boolean => newest === undefined || second > newest - SECONDS_KEPT;

  return {
    take: ({ at, streams }) => {
      const second = Math.floor((at ?? 0) / 1_000);
      if (newest !== undefined && second <= newest) return false;
      newest = second;
      for (const { stream, rate } of streams) if (rate !== undefined) put(stream, second, rate);
      for (const known of rates.values()) for (const old of known.keys()) if (!isKept(old)) known.delete(old);
      return true;
    },
    fill: (at, streams) => {
      for (const [stream, { rate }] of Object.entries(streams))
        at.forEach((time, i) => {
          const [second, value] = [Math.floor(time / 1_000), rate?.[i]];
          if (typeof value === 'number' && isKept(second)) put(stream, second, value);
        });
    },
    of: (stream) => {
      const known = rates.get(stream);
      if (known === undefined || newest === undefined) return [];
      const last = newest;
      return Array.from({ length: SECONDS_KEPT }, (_, i) => known.get(last - SECONDS_KEPT + 1 + i) ?? null);
    },
    forget: () => {
      rates.clear();
      newest = undefined;
    },
  };
}
