/**
 * A pipeline's numbers for its card: taken from the live view once a second, however often that comes, with the
 * rate of the last two minutes. What went by before the page was open comes from the stored metrics.
 */
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { type LiveView, watchView } from '../sockets/watch-view.ts';
import type { RunState } from '../ui/run-state.tsx';
import { type LiveSummary, summarise } from './live-summary.ts';

const EVERY_MS = 1_000;
const SECONDS = 120;

export interface CardLive {
  readonly state: RunState | undefined;
  readonly reason: string | undefined;
  /** The version that runs, or ran last. */
  readonly version: number | undefined;
  /** Undefined while it does not run. */
  readonly now: LiveSummary | undefined;
  /** Records a second, oldest first. */
  readonly rates: readonly (number | null)[];
}

const NOTHING: CardLive = {
  state: undefined,
  reason: undefined,
  version: undefined,
  now: undefined,
  rates: [],
};

/** `isOn`: was ever deployed and is in sight. What was last known stays while it is not. */
export function useLiveSummary(pipeline: string, isOn: boolean): CardLive {
  const [live, setLive] = useState<CardLive>(NOTHING);
  useEffect(() => {
    if (!isOn) return;
    let last: LiveView | undefined;
    const rates: (number | null)[] = Array.from({ length: SECONDS }, () => null);
    const aborting = new AbortController();
    let isAsked = false;
    const stop = watchView(pipeline, (view) => {
      if (view.table && !isAsked) {
        isAsked = true;
        const injectors = view.table.nodes.filter(({ kind }) => kind === 'injector').map(({ node }) => node);
        earlierRates(pipeline, injectors, aborting.signal).then(
          (earlier) => void rates.splice(0, SECONDS, ...rates.map((rate, i) => rate ?? earlier[i] ?? null)),
          // Without them the line begins now.
          () => undefined,
        );
      }
      const isOther =
        view.state?.state !== last?.state?.state ||
        view.state?.version !== last?.state?.version ||
        (view.view && !last?.view);
      last = view;
      if (isOther) setLive(cardOf(view, rates));
    });
    const timer = setInterval(() => {
      if (!last?.view || !last.table) return;
      rates.push(summarise(last.view, last.table).rate);
      rates.shift();
      setLive(cardOf(last, rates));
    }, EVERY_MS);
    return () => {
      aborting.abort();
      clearInterval(timer);
      stop();
    };
  }, [pipeline, isOn]);
  return live;
}

function cardOf({ state, view, table }: LiveView, rates: readonly (number | null)[]): CardLive {
  return {
    state: state?.state,
    reason: state?.reason,
    version: state?.version,
    now: view && table ? summarise(view, table) : undefined,
    rates: [...rates],
  };
}

async function earlierRates(pipeline: string, injectors: readonly string[], signal: AbortSignal) {
  if (injectors.length === 0) return [];
  const to = Date.now();
  const from = to - SECONDS * 1000;
  const { at, nodes } = await call('deployments.metrics', {
    params: { pipeline },
    query: { from, to, per: 'second', of: injectors.join(',') },
    signal,
  });
  const slots: (number | null)[] = Array.from({ length: SECONDS }, () => null);
  at.forEach((time, i) => {
    const slot = Math.floor((time - from) / 1000);
    if (slot < 0 || slot >= SECONDS) return;
    slots[slot] = injectors.reduce((total, id) => total + (nodes[id]?.outRate?.[i] ?? 0), 0);
  });
  // Samples are taken a little more than a second apart: now and then a second has none of its own.
  return slots.map((rate, i) => rate ?? slots[i - 1] ?? null);
}
