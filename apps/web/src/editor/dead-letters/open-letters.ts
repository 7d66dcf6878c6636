/**
 * How many dead letters there are now, by node. The running pipeline's own count tells all that ever were and never
 * falls: this is what somebody still has to look at. Asked for when that count moves, and now and then, while there
 * are any.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { call } from '../../api/call.ts';
import type { LiveStore } from '../live/live-store.ts';
import { lettersGone } from './letters-gone.ts';

export interface OpenLetters {
  /** Undefined: not known yet. */
  readonly store: StoreApi<{ readonly byNode: ReadonlyMap<string, number> | undefined }>;
  /** Of a node of which the run has counted so many in all; undefined: not known yet. */
  readonly of: (node: string, total: number) => number | undefined;
  /** Some were redriven or discarded. */
  readonly refresh: () => void;
  readonly close: () => void;
}

/** Somebody else may redrive or discard. */
const EVERY_MS = 15_000;
const NO_SOONER_THAN_MS = 1_500;

export function openLetters(pipeline: string, live: Pick<LiveStore, 'paintAll'>): OpenLetters {
  const store: OpenLetters['store'] = createStore(() => ({ byNode: undefined }));
  const recorded = lettersGone();
  let gone: ReadonlyMap<string, number> | undefined;
  let closed = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    const { nodes } = await call('dead-letters.counts', { params: { pipeline } });
    if (closed) return;
    const byNode = new Map(Object.entries(nodes));
    gone = recorded.compare(byNode, performance.now()) ?? gone;
    store.setState({ byNode });
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
    if (view === undefined) return;
    const totals = new Map(view.nodes.map(({ node, deadLettered = 0 }) => [node, deadLettered]));
    recorded.counted(totals, performance.now());
    const count = [...totals.values()].reduce((sum, each) => sum + each, 0);
    if (count === seen) return;
    if (seen !== undefined) later();
    seen = count;
  });
  const timer = setInterval(() => {
    const { byNode } = store.getState();
    if (byNode === undefined || byNode.size > 0 || (seen ?? 0) > 0) refresh();
  }, EVERY_MS);
  refresh();
  return {
    store,
    of: (node, total) => {
      const { byNode } = store.getState();
      if (gone !== undefined) return Math.max(0, total - (gone.get(node) ?? 0));
      return byNode && Math.min(total, byNode.get(node) ?? 0);
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
