/** What others have selected and whose code they have open, by node. */
import type { Peer } from '@millrace/protocol/api';

export interface PeerAt {
  readonly client: number;
  readonly name: string;
  /** The code of this node is open in their editor. */
  readonly isInCode: boolean;
}

export type PeersAt = ReadonlyMap<string, readonly PeerAt[]>;

/** Lists that have not changed are those of `before`. */
export function peersAt(peers: readonly Peer[], before: PeersAt): PeersAt {
  const next = new Map<string, PeerAt[]>();
  const add = (id: string, peer: PeerAt): void => void next.set(id, [...(next.get(id) ?? []), peer]);
  for (const { client, name, state } of peers) {
    const ids = new Set(state.selection);
    if (state.code !== undefined) ids.add(state.code);
    for (const id of ids) add(id, { client, name, isInCode: state.code === id });
  }
  return new Map(
    [...next].map(([id, list]) => {
      const old = before.get(id);
      return [id, old !== undefined && JSON.stringify(old) === JSON.stringify(list) ? old : list];
    }),
  );
}
