/**
 * The newest numbers of the running pipeline. They never pass through React's state: what shows them is attached
 * here and painted at most once a frame, all of it from one epoch.
 */
import type { View, ViewNode, ViewStream } from '@millrace/protocol/api';
import { createRateHistory, type RateHistory } from './rate-history.ts';

export type LiveState =
  | { readonly kind: 'off' }
  | { readonly kind: 'live'; readonly label: string }
  /** The connection is lost; what is shown is what was last known. */
  | { readonly kind: 'stale' };

/**
 * `isBeat`: twice a second, and whenever something is attached or gone. Words and figures that nobody could read ten
 * times a second are written then; levels move with every call.
 */
export type Paint<T> = (value: T | undefined, isBeat: boolean) => void;

export interface LiveStore {
  readonly view: () => View | undefined;
  readonly state: () => LiveState;
  readonly take: (view: View) => void;
  readonly setState: (state: LiveState) => void;
  readonly history: RateHistory;
  /** Called with each new value of a node, at most once a frame; `undefined` where nothing is known of it. */
  readonly paintNode: (id: string, paint: Paint<ViewNode>) => () => void;
  readonly paintStream: (id: string, paint: Paint<ViewStream>) => () => void;
  /** Once a painted frame. */
  readonly paintAll: (paint: Paint<View>) => () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export type NextFrame = (paint: () => void) => void;

const BEAT_MS = 500;

export function createLiveStore(nextFrame: NextFrame): LiveStore {
  let view: View | undefined;
  let state: LiveState = { kind: 'off' };
  let nodes: ReadonlyMap<string, ViewNode> = new Map();
  let streams: ReadonlyMap<string, ViewStream> = new Map();
  let isWaiting = false;
  let beat: number | undefined;
  const history = createRateHistory();
  const nodePaints = new Map<string, Set<Paint<ViewNode>>>();
  const streamPaints = new Map<string, Set<Paint<ViewStream>>>();
  const wholePaints = new Set<Paint<View>>();
  const listeners = new Set<() => void>();

  const paint = (): void => {
    isWaiting = false;
    const now = view?.at === undefined ? undefined : Math.floor(view.at / BEAT_MS);
    const isBeat = now === undefined || now !== beat;
    beat = now;
    for (const [id, paints] of nodePaints) for (const one of paints) one(nodes.get(id), isBeat);
    for (const [id, paints] of streamPaints) for (const one of paints) one(streams.get(id), isBeat);
    for (const one of wholePaints) one(view, isBeat);
  };
  const schedule = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    nextFrame(paint);
  };
  const show = (next: View | undefined): void => {
    view = next;
    nodes = new Map(next?.nodes.map((node) => [node.node, node]));
    streams = new Map(next?.streams.map((stream) => [stream.stream, stream]));
    schedule();
  };

  return {
    view: () => view,
    state: () => state,
    history,
    take: (next) => {
      history.take(next);
      show(next);
    },
    setState: (next) => {
      const isOff = next.kind === 'off' && state.kind !== 'off';
      state = next;
      if (isOff) {
        history.forget();
        show(undefined);
      }
      for (const listener of listeners) listener();
    },
    paintNode: (id, one) => {
      one(nodes.get(id), true);
      return attached(nodePaints, id, one);
    },
    paintStream: (id, one) => {
      one(streams.get(id), true);
      return attached(streamPaints, id, one);
    },
    paintAll: (one) => {
      one(view, true);
      wholePaints.add(one);
      return () => wholePaints.delete(one);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function attached<T>(paints: Map<string, Set<T>>, id: string, one: T): () => void {
  const those = paints.get(id) ?? new Set();
  paints.set(id, those.add(one));
  return () => {
    those.delete(one);
    if (those.size === 0) paints.delete(id);
  };
}
