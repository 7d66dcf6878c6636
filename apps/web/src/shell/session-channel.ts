/** What the tabs of one browser tell each other about who is signed in: they share one cookie. */
const NAME = 'millrace.session';

export type SessionNews =
  | { readonly kind: 'signed-in'; readonly account: string }
  | { readonly kind: 'signed-out' };

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);

export const tellOtherTabs = (news: SessionNews): void => channel?.postMessage(news);

export function onOtherTab(listener: (news: SessionNews) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => listener(data));
}
