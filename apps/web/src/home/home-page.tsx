import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { CardActions, type PendingAction } from './card-actions.tsx';
import { CardGrid, CardSkeletons } from './card-grid.tsx';
import { EmptyHome } from './empty-home.tsx';
import styles from './home-page.module.css';
import { HomeTools } from './home-tools.tsx';
import { MoreCards } from './more-cards.tsx';
import { Templates } from './templates.tsx';
import { useAsked } from './use-asked.ts';
import { useNames } from './use-names.ts';
import { usePipelines, useSamples } from './use-pipelines.ts';
import { useTemplates } from './use-templates.ts';

export function HomePage() {
  useTitle(commonWords.pipelines);
  const { workspace } = useMe();
  const mayWrite = useMay('graph.write');
  const [asked, ask] = useAsked();
  const [pending, setPending] = useState<PendingAction>();
  const { found, more } = usePipelines(asked);
  const sampled = useSamples(asked);
  const templates = useTemplates(asked);
  const names = useNames();
  const own = found.kind === 'ready' ? found.value.items : [];
  const samples = sampled.kind === 'ready' ? sampled.value : [];
  const isSearching = asked.q !== '' || asked.tag !== undefined;
  const isReady = found.kind === 'ready' && sampled.kind === 'ready';
  const cards = {
    names,
    onAction: (kind: PendingAction['kind'], pipeline: PendingAction['pipeline']) =>
      setPending({ kind, pipeline }),
  };
  const reload = () => {
    found.reload();
    sampled.reload();
  };
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{commonWords.pipelines}</h1>
        <HomeTools asked={asked} onAsk={ask} samples={samples} templates={templates} />
      </header>
      {found.kind === 'failed' && <CannotList error={found.error} onRetry={reload} />}
      {found.kind !== 'failed' && !isReady && <CardSkeletons />}
      {isReady && (
        <>
          {isSearching && own.length + samples.length + templates.length === 0 && (
            <NothingMatches onShowAll={() => ask({ q: '', tag: undefined })} />
          )}
          {!isSearching && own.length === 0 && <EmptyHome mayWrite={mayWrite} />}
          {own.length > 0 && <CardGrid pipelines={own} {...cards} />}
          {found.value.next && <MoreCards onMore={more} />}
          {samples.length > 0 && !found.value.next && (
            <section className={styles.section} aria-labelledby="samples">
              <h2 id="samples">{homeWords.samples}</h2>
              <p className={styles.about}>{homeWords.theyRunOnSampleData}</p>
              <CardGrid pipelines={samples} {...cards} />
            </section>
          )}
          {templates.length > 0 && !found.value.next && (
            <Templates templates={templates} isSearching={isSearching} />
          )}
          <Link to={`/w/${workspace.id}/deleted`} className={styles.deleted}>
            <Icon of={Trash2} />
            {homeWords.deletedPipelines}
          </Link>
        </>
      )}
      {pending && <CardActions action={pending} onDone={reload} onClose={() => setPending(undefined)} />}
    </main>
  );
}

const CannotList = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <Notice
    tone="error"
    title={homeWords.thePipelinesCannotBeListed}
    action={
      <Button size="small" onClick={onRetry}>
        {commonWords.tryAgain}
      </Button>
    }
  >
    {messageOf(error)}
  </Notice>
);

const NothingMatches = ({ onShowAll }: { readonly onShowAll: () => void }) => (
  <EmptyState
    title={homeWords.nothingMatches}
    action={<Button onClick={onShowAll}>{homeWords.showAllPipelines}</Button>}
  >
    {homeWords.allWords}
  </EmptyState>
);
