/**
 * Tells at once, within this process, whose rights may be others now: open sockets re-read who their actor is.
 * What ends by time alone (a session, a token) is not told; whoever holds something open asks again now and then.
 */
import type { Actor } from '../http/actor.ts';

export type AccessChange =
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'token'; readonly token: string };

export type AccessListener = (change: AccessChange) => void;

export interface AccessChanges {
  /** Returns how to stop listening. */
  onAccessChanged(listener: AccessListener): () => void;
  tell(change: AccessChange): void;
}

export function accessChanges(): AccessChanges {
  const listeners = new Set<AccessListener>();
  return {
    onAccessChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(change) {
      for (const listener of [...listeners]) listener(change);
    },
  };
}

/** Whether this actor is one the change is about. Tokens act for an account and go with it. */
export function concerns(change: AccessChange, actor: Actor): boolean {
  if (actor.kind === 'nobody') return false;
  if (change.kind === 'account') return actor.account === change.account;
  if (change.kind === 'session') return actor.kind === 'account' && actor.session === change.session;
  return actor.kind === 'token' && actor.token === change.token;
}
