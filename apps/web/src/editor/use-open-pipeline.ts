import { useEffect, useState } from 'react';
import { useMay, useMe } from '../shell/session-store.ts';
import { type OpenedPipeline, openPipeline } from './open-pipeline.ts';

export type PipelineState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly opened: OpenedPipeline }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Opens a pipeline as long as its page is there; a page that is left with unsent edits asks first. */
export function useOpenPipeline(pipeline: string): PipelineState {
  const mayWrite = useMay('graph.write');
  const account = useMe().account.id;
  const [state, setState] = useState<PipelineState>({ kind: 'loading' });
  useEffect(() => {
    const aborting = new AbortController();
    let opened: OpenedPipeline | undefined;
    openPipeline({ pipeline, account, mayWrite }, aborting.signal).then(
      (now) => {
        if (aborting.signal.aborted) return now.close();
        opened = now;
        setState({ kind: 'ready', opened });
      },
      (error: unknown) => !aborting.signal.aborted && setState({ kind: 'failed', error }),
    );
    return () => {
      aborting.abort();
      opened?.close();
      setState({ kind: 'loading' });
    };
  }, [pipeline, account, mayWrite]);
  useEffect(() => {
    if (state.kind !== 'ready') return;
    const { draft } = state.opened;
    const warn = (event: BeforeUnloadEvent): void => {
      const { save } = draft.state();
      if (save.kind !== 'saving' && save.kind !== 'unsaved') return;
      void draft.flush();
      event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [state]);
  return state;
}
