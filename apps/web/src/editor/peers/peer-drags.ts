/**
 * Where others are dragging nodes to. Their place is written when they let go. What they showed stays until that is
 * here, else the node would jump back in between, and no longer: it is not quite where the node was put.
 */
import type { Peer } from '@millrace/protocol/api';

type Place = readonly [x: number, y: number];
export type Drags = ReadonlyMap<string, Place>;

export interface PeerDrags {
  /** The same map until something moves. */
  readonly now: () => Drags;
  readonly take: (peers: readonly Peer[]) => void;
  /** The document has changed. */
  readonly written: () => void;
  readonly close: () => void;
}

export interface PeerDragsOptions {
  readonly changed: () => void;
  /** By the document; undefined where it has no place for it. */
  readonly placeOf: (id: string) => Place | undefined;
}

/** For whom nothing is written: they let go where they had begun, or are gone. */
const LINGER_MS = 600;

interface Drag {
  /** Where the document had it when the drag was first seen. */
  readonly before: Place | undefined;
  /** They have let go. */
  leaving: ReturnType<typeof setTimeout> | undefined;
}

export function createPeerDrags({ changed, placeOf }: PeerDragsOptions): PeerDrags {
  let shown: Drags = new Map();
  const drags = new Map<string, Drag>();
  const become = (next: Drags): void => {
    if (JSON.stringify([...next]) === JSON.stringify([...shown])) return;
    shown = next;
    changed();
  };
  const forget = (ids: readonly string[]): void => {
    for (const id of ids) {
      clearTimeout(drags.get(id)?.leaving);
      drags.delete(id);
    }
    become(new Map([...shown].filter(([id]) => drags.has(id))));
  };
  const written = (): void =>
    forget(
      [...drags].flatMap(([id, { before, leaving }]) =>
        leaving !== undefined && !isSame(before, placeOf(id)) ? [id] : [],
      ),
    );
  return {
    now: () => shown,
    take: (peers) => {
      const held = new Map(
        peers.flatMap(({ state }) => state.dragging ?? []).map(([id, x, y]) => [id, [x, y] as const]),
      );
      for (const id of held.keys()) {
        const drag = drags.get(id);
        clearTimeout(drag?.leaving);
        const isNew = drag === undefined || drag.leaving !== undefined;
        if (isNew) drags.set(id, { before: placeOf(id), leaving: undefined });
      }
      for (const [id, drag] of drags)
        if (!held.has(id)) drag.leaving ??= setTimeout(() => forget([id]), LINGER_MS);
      become(new Map([...shown, ...held]));
      // It may have come before they were seen to let go.
      written();
    },
    written,
    close: () => {
      for (const { leaving } of drags.values()) clearTimeout(leaving);
    },
  };
}

const isSame = (a: Place | undefined, b: Place | undefined): boolean =>
  a?.[0] === b?.[0] && a?.[1] === b?.[1];
