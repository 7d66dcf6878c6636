import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { ApiError, messageOf } from '../api/api-error.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { WayOut } from '../shell/way-out.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { EditorProvider } from './editor-context.tsx';
import styles from './editor-frame.module.css';
import { EditorFrame } from './editor-frame.tsx';
import { loadDraft } from './load-draft.ts';
import { type OpenedEditor, openEditor } from './open-editor.ts';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly editor: OpenedEditor }
  | { readonly kind: 'failed'; readonly error: unknown };

/** `/w/<workspace>/p/<pipeline>`: a pipeline's draft, to be looked at and changed. */
export function EditorPage() {
  const { pipeline = '' } = useParams();
  const state = useOpenEditor(pipeline);
  switch (state.kind) {
    case 'loading':
      return (
        <div className={styles.wait}>
          <Spinner />
        </div>
      );
    case 'failed': {
      const isGone = state.error instanceof ApiError && state.error.facts.status === 404;
      return (
        <EmptyState
          picture={<Mark size={40} />}
          title={isGone ? 'There is no such pipeline' : 'The pipeline could not be opened'}
          action={<WayOut />}
        >
          {messageOf(state.error)}
        </EmptyState>
      );
    }
    case 'ready':
      return (
        <EditorProvider value={state.editor}>
          <EditorFrame />
        </EditorProvider>
      );
  }
}

function useOpenEditor(pipeline: string): State {
  const mayWrite = useMay('graph.write');
  const account = useMe().account.id;
  const [state, setState] = useState<State>({ kind: 'loading' });
  const open = useCallback(
    (signal: AbortSignal) => loadDraft({ pipeline, account, mayWrite }, signal),
    [pipeline, account, mayWrite],
  );
  useEffect(() => {
    const aborting = new AbortController();
    let editor: OpenedEditor | undefined;
    open(aborting.signal).then(
      ({ draft, canEdit }) => {
        if (aborting.signal.aborted) return draft.close();
        editor = openEditor(pipeline, draft, canEdit);
        setState({ kind: 'ready', editor });
      },
      (error: unknown) => !aborting.signal.aborted && setState({ kind: 'failed', error }),
    );
    return () => {
      aborting.abort();
      if (editor === undefined) return;
      const { draft, close } = editor;
      close();
      // Edits of the last moment go out before the document is let go.
      void draft.flush().finally(draft.close);
    };
  }, [open, pipeline]);
  useEffect(() => {
    if (state.kind !== 'ready') return;
    const { draft } = state.editor;
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
