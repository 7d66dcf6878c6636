/**
 * How many dead letters there are now, by node. The running pipeline's own count tells all that ever were and never
 * falls: this is what somebody still has to look at. Asked for when that count moves, and now and then, while there
 * are any.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { call } from '../../api/call.ts';
import type { LiveStore } from '../live/live-store.ts';

export interface OpenLetters {
  /** Undefined: not known yet. */
  readonly store: StoreApi<{ readonly byNode: ReadonlyMap<string, number> | undefined }>;
  /** Undefined: not known yet. */
  readonly of: (node: string) => number | undefined;
  /** Some were redriven or discarded. */
  readonly refresh: () => void;
  readonly close: () => void;
}

/** Somebody else may redrive or discard. */
const EVERY_MS = 15_000;
const NO_SOONER_THAN_MS = 1_500;

export function openLetters(pipeline: string, live: Pick<LiveStore, 'paintAll'>): OpenLetters {
  const store: OpenLetters['store'] = createStore(() => ({ byNode: undefined }));
  let closed = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    const { nodes } = await call('dead-letters.counts', { params: { pipeline } });
    if (!closed) store.setState({ byNode: new Map(Object.entries(nodes)) });
  };
  // What was known stays where it cannot be asked.
  const refresh = (): void => void ask().catch(() => undefined);
  const later = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      refresh();
    }, NO_SOONER_THAN_MS);
  };
  let seen: number | undefined;
  const stop = live.paintAll((view) => {
    const count = view?.nodes.reduce((sum, { deadLettered = 0 }) => sum + deadLettered, 0);
    if (count === undefined || count === seen) return;
    if (seen !== undefined) later();
    seen = count;
  });
  const timer = setInterval(() => {
    const { byNode } = store.getState();
    if (byNode === undefined || byNode.size > 0) refresh();
  }, EVERY_MS);
  refresh();
  return {
    store,
    of: (node) => {
      const { byNode } = store.getState();
      return byNode && (byNode.get(node) ?? 0);
    },
    refresh,
    close: () => {
      closed = true;
      stop();
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}
