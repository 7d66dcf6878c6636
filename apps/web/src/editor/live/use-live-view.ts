import { useEffect } from 'react';
import { watchView } from '../../sockets/watch-view.ts';
import { useEditor } from '../editor-context.tsx';

/** Brings the running pipeline's numbers to the live store while the editor is open. */
export function useLiveView(): void {
  const { pipeline, live, showing } = useEditor();
  const version = showing.kind === 'version' ? showing.number : undefined;
  useEffect(
    () =>
      watchView(pipeline, ({ view, state }) => {
        // The numbers of one version say nothing of another.
        const isOther = version !== undefined && state?.version !== version;
        if (view === undefined || isOther) {
          if (live.state().kind !== 'off') live.setState({ kind: 'off' });
          return;
        }
        if (live.state().kind !== 'live') live.setState({ kind: 'live', label: state?.state ?? 'running' });
        live.take(view);
      }),
    [pipeline, live, version],
  );
}
