/**
 * Where others are dragging nodes to. Their position is written when they let go; what they showed stays for as long
 * as the written one may take, else the node would jump back in between.
 */
import type { Peer } from '@millrace/protocol/api';

export type Drags = ReadonlyMap<string, readonly [x: number, y: number]>;

export interface PeerDrags {
  /** The same map until something moves. */
  readonly now: () => Drags;
  readonly take: (peers: readonly Peer[]) => void;
  readonly close: () => void;
}

const LINGER_MS = 600;

export function createPeerDrags(changed: () => void): PeerDrags {
  let shown: Drags = new Map();
  const leaving = new Map<string, ReturnType<typeof setTimeout>>();
  const become = (next: Drags): void => {
    shown = next;
    changed();
  };
  const leave = (id: string): void => {
    if (leaving.has(id)) return;
    const forget = (): void => {
      leaving.delete(id);
      become(new Map([...shown].filter(([one]) => one !== id)));
    };
    leaving.set(id, setTimeout(forget, LINGER_MS));
  };
  return {
    now: () => shown,
    take: (peers) => {
      const dragged = peers.flatMap(({ state }) => state.dragging ?? []);
      const next = new Map(shown);
      for (const [id, x, y] of dragged) {
        next.set(id, [x, y]);
        clearTimeout(leaving.get(id));
        leaving.delete(id);
      }
      const held = new Set(dragged.map(([id]) => id));
      for (const id of shown.keys()) if (!held.has(id)) leave(id);
      if (JSON.stringify([...next]) !== JSON.stringify([...shown])) become(next);
    },
    close: () => {
      for (const timer of leaving.values()) clearTimeout(timer);
    },
  };
}
