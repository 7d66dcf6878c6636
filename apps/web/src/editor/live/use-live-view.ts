import { useEffect } from 'react';
import { watchView } from '../../sockets/watch-view.ts';
import { useEditor } from '../editor-context.tsx';

/** Brings the running pipeline's numbers to the live store while the editor is open. */
export function useLiveView(): void {
  const { pipeline, live } = useEditor();
  useEffect(
    () =>
      watchView(pipeline, ({ view, state }) => {
        if (view === undefined) {
          if (live.state().kind !== 'off') live.setState({ kind: 'off' });
          return;
        }
        if (live.state().kind !== 'live') live.setState({ kind: 'live', label: state?.state ?? 'running' });
        live.take(view);
      }),
    [pipeline, live],
  );
}
