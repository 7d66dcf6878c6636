import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { watchView } from '../../sockets/watch-view.ts';
import { useEditor } from '../editor-context.tsx';
import type { LiveStore } from './live-store.ts';
import { SECONDS_KEPT } from './rate-history.ts';

/** Brings the running pipeline's numbers to the live store while the editor is open. */
export function useLiveView(): void {
  const { pipeline, live, showing } = useEditor();
  const version = showing.kind === 'version' ? showing.number : undefined;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watchView(pipeline, ({ view, state }) => {
      // The numbers of one version say nothing of another.
      const isOther = version !== undefined && state?.version !== version;
      if (view === undefined || isOther) {
        if (live.state().kind !== 'off') live.setState({ kind: 'off' });
        return;
      }
      const isFirst = live.state().kind === 'off';
      if (live.state().kind !== 'live') live.setState({ kind: 'live', label: state?.state ?? 'running' });
      live.take(view);
      if (!isFirst) return;
      const opened = view.at ?? Date.now();
      const fill = (): void => {
        void fillHistory({ pipeline, live, opened, streams: view.streams.map(({ stream }) => stream) });
      };
      fill();
      clearTimeout(timer);
      timer = setTimeout(fill, STORED_AFTER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [pipeline, live, version]);
}

/** The server stores every ten seconds: the last ones before the page was opened come with the next time. */
const STORED_AFTER_MS = 12_000;

/** So long a list of ids is not asked with: all numbers of the minute are less. */
const LONGEST_LIST = 8_000;

interface Wanted {
  readonly pipeline: string;
  readonly live: LiveStore;
  /** UTC ms. */
  readonly opened: number;
  readonly streams: readonly string[];
}

/** What the server kept of the minute before; without it the sparklines begin now. */
async function fillHistory({ pipeline, live, opened, streams }: Wanted): Promise<void> {
  const ids = streams.join();
  if (ids === '') return;
  const of = ids.length <= LONGEST_LIST ? { of: ids } : {};
  const query = { from: opened - SECONDS_KEPT * 1_000, to: opened, per: 'second' as const, ...of };
  const kept = await call('deployments.metrics', { params: { pipeline }, query }).catch(() => undefined);
  if (kept !== undefined && live.state().kind === 'live') live.history.fill(kept.at, kept.streams);
}
