/** Others on the canvas, as React sees them. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
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
  const { presence } = useEditor().draft;
  const [drags, setDrags] = useState<Drags>(() => new Map());
  const peerDrags = useMemo(() => createPeerDrags(() => setDrags(peerDrags.now())), []);
  useEffect(() => {
    const take = (): void => peerDrags.take(presence.peers());
    take();
    const stop = presence.subscribe(take);
    return () => {
      stop();
      peerDrags.close();
    };
  }, [presence, peerDrags]);
  return drags;
}
