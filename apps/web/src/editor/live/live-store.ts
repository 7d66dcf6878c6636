/**
 * The newest numbers of the running pipeline. They never pass through React's state: what shows them is attached
 * here and painted at most once a frame, all of it from one epoch.
 */
import type { View, ViewNode, ViewStream } from '@millrace/protocol/api';

export type LiveState =
  | { readonly kind: 'off' }
  | { readonly kind: 'live'; readonly label: string }
  /** The connection is lost; what is shown is what was last known. */
  | { readonly kind: 'stale' };

export interface LiveStore {
  readonly view: () => View | undefined;
  readonly state: () => LiveState;
  readonly take: (view: View) => void;
  readonly setState: (state: LiveState) => void;
  /** Called with each new value of a node, at most once a frame; `undefined` where nothing is known of it. */
  readonly paintNode: (id: string, paint: (node: ViewNode | undefined) => void) => () => void;
  readonly paintStream: (id: string, paint: (stream: ViewStream | undefined) => void) => () => void;
  /** Once a painted frame. */
  readonly paintAll: (paint: (view: View | undefined) => void) => () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export type NextFrame = (paint: () => void) => void;

export function createLiveStore(nextFrame: NextFrame): LiveStore {
  let view: View | undefined;
  let state: LiveState = { kind: 'off' };
  let nodes: ReadonlyMap<string, ViewNode> = new Map();
  let streams: ReadonlyMap<string, ViewStream> = new Map();
  let isWaiting = false;
  const nodePaints = new Map<string, Set<(node: ViewNode | undefined) => void>>();
  const streamPaints = new Map<string, Set<(stream: ViewStream | undefined) => void>>();
  const wholePaints = new Set<(view: View | undefined) => void>();
  const listeners = new Set<() => void>();

  const paint = (): void => {
    isWaiting = false;
    for (const [id, paints] of nodePaints) for (const one of paints) one(nodes.get(id));
    for (const [id, paints] of streamPaints) for (const one of paints) one(streams.get(id));
    for (const one of wholePaints) one(view);
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
    take: show,
    setState: (next) => {
      const isOff = next.kind === 'off' && state.kind !== 'off';
      state = next;
      if (isOff) show(undefined);
      for (const listener of listeners) listener();
    },
    paintNode: (id, one) => {
      one(nodes.get(id));
      return attached(nodePaints, id, one);
    },
    paintStream: (id, one) => {
      one(streams.get(id));
      return attached(streamPaints, id, one);
    },
    paintAll: (one) => {
      one(view);
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
