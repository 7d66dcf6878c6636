/** Who else is in the draft, and what this page shows of its own user, at most a dozen times a second. */
import type { Peer, PresenceState } from '@millrace/protocol/api';

export interface Presence {
  /** By client; the same list until somebody moves. */
  readonly peers: () => readonly Peer[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Adds to what is shown; `undefined` takes a part of it away. */
  readonly show: (change: { readonly [K in keyof PresenceState]?: PresenceState[K] | undefined }) => void;
}

export interface OwnedPresence extends Presence {
  readonly replace: (peers: readonly Peer[]) => void;
  readonly change: (peers: readonly Peer[], gone: readonly number[]) => void;
  readonly close: () => void;
}

const EVERY_MS = 80;

export function presence(send: (state: PresenceState) => void): OwnedPresence {
  const listeners = new Set<() => void>();
  let peers: readonly Peer[] = [];
  let mine: PresenceState = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsent = false;

  const become = (next: readonly Peer[]): void => {
    peers = next;
    for (const listener of [...listeners]) listener();
  };
  const flush = (): void => {
    timer = undefined;
    if (!unsent) return;
    unsent = false;
    send(mine);
    timer = setTimeout(flush, EVERY_MS);
  };
  return {
    peers: () => peers,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show: (change) => {
      const next = { ...mine, ...change };
      for (const key of Object.keys(next) as (keyof PresenceState)[])
        if (next[key] === undefined) delete next[key];
      if (JSON.stringify(next) === JSON.stringify(mine)) return;
      mine = next as PresenceState;
      unsent = true;
      timer ??= setTimeout(flush, 0);
    },
    replace: (next) => {
      become(next);
      // A connection that was opened again knows nothing of this page yet.
      unsent = Object.keys(mine).length > 0;
      if (unsent) timer ??= setTimeout(flush, 0);
    },
    change: (changed, gone) => {
      if (changed.length + gone.length === 0) return;
      const away = new Set([...gone, ...changed.map(({ client }) => client)]);
      become([...peers.filter(({ client }) => !away.has(client)), ...changed]);
    },
    close: () => {
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
