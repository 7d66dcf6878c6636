/**
 * Who is signed in. A session that ends while somebody works does not take the page away: what is open stays, and
 * `expired` asks to sign in again over it.
 */
import type { AnswerOf, Permission, RouteOf } from '@millrace/protocol/api';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { forgetOfflineEdits } from '../document/offline-edits.ts';
import { closeSocket, reviveSocket } from '../sockets/connection.ts';
import { onOtherTab, tellOtherTabs } from './session-channel.ts';

export type Me = AnswerOf<RouteOf<'account.me'>>;

export type Session =
  | { readonly kind: 'asking' }
  | { readonly kind: 'out' }
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'in'; readonly me: Me; readonly expired: boolean };

export const sessionStore = createStore<Session>(() => ({ kind: 'asking' }));

/** After signing in here; the other tabs hear of it. */
export function signedIn(me: Me): void {
  enter(me);
  tellOtherTabs({ kind: 'signed-in', account: me.account.id });
}

function enter(me: Me): void {
  sessionStore.setState({ kind: 'in', me, expired: false }, true);
  reviveSocket();
}

export async function askWhoIAm(): Promise<void> {
  try {
    enter(await call('account.me'));
  } catch (error) {
    const isOut = error instanceof ApiError && error.code === 'not-logged-in';
    if (isOut) sessionStore.setState({ kind: 'out' }, true);
    else sessionStore.setState({ kind: 'unreachable', detail: String((error as Error).message) }, true);
  }
}

export async function signOut(): Promise<void> {
  await call('account.logout').catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'not-logged-in')) throw error;
  });
  closeSocket();
  await forgetOfflineEdits();
  sessionStore.setState({ kind: 'out' }, true);
  tellOtherTabs({ kind: 'signed-out' });
}

sessionEnded.listen(() => {
  const session = sessionStore.getState();
  if (session.kind === 'in') sessionStore.setState({ ...session, expired: true }, true);
});

/** Signed out there is signed out here; what another account may see is no business of what is open here. */
onOtherTab((news) => {
  const session = sessionStore.getState();
  if (news.kind === 'signed-out') {
    closeSocket();
    sessionStore.setState({ kind: 'out' }, true);
  } else if (session.kind === 'in' && session.me.account.id !== news.account) location.reload();
  else void askWhoIAm();
});

export const useSession = (): Session => useStore(sessionStore);

/** Inside the frame, where somebody is signed in. */
export function useMe(): Me {
  const session = useSession();
  if (session.kind !== 'in') throw new Error('nobody is signed in here');
  return session.me;
}

/** To leave out or disable what one may not do; the server decides by itself. */
export const useMay = (permission: Permission): boolean => useMe().scopes.includes(permission);
