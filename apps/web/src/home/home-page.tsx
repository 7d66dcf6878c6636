import { ArrowDownUp, Search } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useTitle } from '../ui/use-title.ts';
import { CardActions, type PendingAction } from './card-actions.tsx';
import { CardGrid, CardSkeletons } from './card-grid.tsx';
import { EmptyHome } from './empty-home.tsx';
import styles from './home-page.module.css';
import { NewPipeline } from './new-pipeline.tsx';
import { TagFilter } from './tag-filter.tsx';

const SORTS = [
  { value: 'updated', label: homeWords.lastEdited },
  { value: 'name', label: commonWords.name },
  { value: 'created', label: homeWords.newest },
] as const;
type Sort = (typeof SORTS)[number]['value'];

const TYPED_MS = 200;
const MOST = 200;

export function HomePage() {
  useTitle(commonWords.pipelines);
  const mayWrite = useMay('graph.write');
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort>('updated');
  const [tag, setTag] = useState<string>();
  const [pending, setPending] = useState<PendingAction>();
  const q = useDebounced(typed.trim(), TYPED_MS);
  const found = useLoad(
    useCallback(
      (signal) => {
        const query = { sort, limit: MOST, ...(q && { q }), ...(tag && { tag }) };
        return call('pipelines.list', { query, signal });
      },
      [sort, q, tag],
    ),
  );
  const members = useLoad(useCallback((signal) => call('members.list', { signal }), []));
  const names = useMemo(
    () =>
      new Map(members.kind === 'ready' ? members.value.items.map((each) => [each.account, each.name]) : []),
    [members],
  );
  const items = found.kind === 'ready' ? found.value.items : [];
  const own = items.filter(({ readOnly }) => !readOnly);
  const samples = items.filter(({ readOnly }) => readOnly);
  const isSearching = q !== '' || tag !== undefined;
  const cards = {
    names,
    onAction: (kind: PendingAction['kind'], pipeline: PendingAction['pipeline']) =>
      setPending({ kind, pipeline }),
  };
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{commonWords.pipelines}</h1>
        <div className={styles.tools}>
          <search className={styles.search}>
            <TextInput
              icon={Search}
              type="search"
              aria-label={homeWords.searchPipelines}
              placeholder={homeWords.searchNamesCodeSettings}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </search>
          <TagFilter items={items} tag={tag} onChange={setTag} />
          <Menu
            trigger={
              <Button look="quiet" icon={ArrowDownUp}>
                {SORTS.find(({ value }) => value === sort)?.label}
              </Button>
            }
          >
            <MenuChoice value={sort} options={SORTS} onChange={setSort} />
          </Menu>
          {mayWrite && <NewPipeline />}
        </div>
      </header>
      {found.kind === 'failed' && (
        <Notice
          tone="error"
          title={homeWords.thePipelinesCannotBeListed}
          action={
            <Button size="small" onClick={found.reload}>
              {commonWords.tryAgain}
            </Button>
          }
        >
          {messageOf(found.error)}
        </Notice>
      )}
      {found.kind === 'loading' && <CardSkeletons />}
      {found.kind === 'ready' && (
        <>
          {isSearching && items.length === 0 && (
            <EmptyState
              title={homeWords.nothingMatches}
              action={
                <Button
                  onClick={() => {
                    setTyped('');
                    setTag(undefined);
                  }}
                >
                  {homeWords.showAllPipelines}
                </Button>
              }
            >
              {homeWords.allWords}
            </EmptyState>
          )}
          {!isSearching && own.length === 0 && <EmptyHome mayWrite={mayWrite} />}
          {own.length > 0 && <CardGrid pipelines={own} {...cards} />}
          {samples.length > 0 && (
            <section className={styles.section} aria-labelledby="samples">
              <h2 id="samples">{homeWords.samples}</h2>
              <p className={styles.about}>{homeWords.theyRunOnSampleData}</p>
              <CardGrid pipelines={samples} {...cards} />
            </section>
          )}
        </>
      )}
      {pending && (
        <CardActions action={pending} onDone={found.reload} onClose={() => setPending(undefined)} />
      )}
    </main>
  );
}
