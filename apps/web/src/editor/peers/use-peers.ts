/** Others on the canvas, as React sees them. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { useEditor } from '../editor-context.tsx';
import { createPeerDrags, type Drags } from './peer-drags.ts';
import { type PeerAt, type PeersAt, peersAt } from './peers-at.ts';

type Presence = SharedDraft['presence'];

const NOBODY: readonly PeerAt[] = [];
const known = new WeakMap<Presence, { peers: unknown; at: PeersAt }>();

/** Worked out once for all nodes. */
function atNow(presence: Presence): PeersAt {
  const peers = presence.peers();
  const before = known.get(presence);
  if (before?.peers === peers) return before.at;
  const at = peersAt(peers, before?.at ?? new Map());
  known.set(presence, { peers, at });
  return at;
}

export function usePeersAt(id: string): readonly PeerAt[] {
  const { presence } = useEditor().draft;
  return useSyncExternalStore(presence.subscribe, () => atNow(presence).get(id) ?? NOBODY);
}

export function usePeerDrags(): Drags {
  const { presence, document } = useEditor().draft;
  const [drags, setDrags] = useState<Drags>(() => new Map());
  useEffect(() => {
    const placeOf = (id: string) => {
      const { nodes, notes } = document.read().layout;
      return (nodes.get(id) ?? notes.get(id))?.at;
    };
    const peerDrags = createPeerDrags({ changed: () => setDrags(peerDrags.now()), placeOf });
    const take = (): void => peerDrags.take(presence.peers());
    take();
    const stops = [presence.subscribe(take), document.subscribe(peerDrags.written)];
    return () => {
      for (const stop of stops) stop();
      peerDrags.close();
    };
  }, [presence, document]);
  return drags;
}
