import { useParams } from 'react-router';
import { ApiError, messageOf } from '../api/api-error.ts';
import { WayOut } from '../shell/way-out.tsx';
import { editorWords as words } from '../text/strings/editor.ts';
import { versionWords } from '../text/strings/versions.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { EditorProvider } from './editor-context.tsx';
import styles from './editor-frame.module.css';
import { EditorFrame } from './editor-frame.tsx';
import type { OpenedPipeline } from './open-pipeline.ts';
import { useOpenPipeline } from './use-open-pipeline.ts';
import { useShownEditor } from './use-shown-editor.ts';
import { useShow, useShown } from './versions/address.ts';
import { CompareView } from './versions/compare-view.tsx';

/** `/w/<workspace>/p/<pipeline>`: a pipeline's draft, to be looked at and changed; or one of its versions. */
export function EditorPage() {
  const { pipeline = '' } = useParams();
  const state = useOpenPipeline(pipeline);
  switch (state.kind) {
    case 'loading':
      return <Wait />;
    case 'failed': {
      const isGone = state.error instanceof ApiError && state.error.facts.status === 404;
      return (
        <EmptyState
          picture={<Mark size={40} />}
          title={isGone ? words.noSuchPipeline : words.notOpened}
          action={<WayOut />}
        >
          {messageOf(state.error)}
        </EmptyState>
      );
    }
    case 'ready':
      return <ShownPart opened={state.opened} />;
  }
}

function ShownPart({ opened }: { readonly opened: OpenedPipeline }) {
  const { version, compare } = useShown();
  const show = useShow();
  const shown = useShownEditor(opened, version);
  switch (shown.kind) {
    case 'loading':
      return <Wait />;
    case 'failed':
      return (
        <EmptyState
          picture={<Mark size={40} />}
          title={versionWords.banner.missing(shown.version)}
          action={<Button onClick={() => show({})}>{versionWords.banner.back}</Button>}
        >
          {messageOf(shown.error)}
        </EmptyState>
      );
    case 'ready':
      return (
        <EditorProvider value={shown.editor} key={shown.id}>
          <EditorFrame>{compare && <CompareView {...compare} />}</EditorFrame>
        </EditorProvider>
      );
  }
}

const Wait = () => (
  <div className={styles.wait}>
    <Spinner />
  </div>
);
