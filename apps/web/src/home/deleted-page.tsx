import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay } from '../shell/session-store.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import { toast } from '../ui/toast-store.ts';
import { useTitle } from '../ui/use-title.ts';
import styles from './home-page.module.css';
import type { Pipeline } from './pipeline-card.tsx';
import { useNames } from './use-names.ts';

const MOST = 200;
/** As the server takes them away. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What was deleted and can still be brought back. */
export function DeletedPage() {
  useTitle(homeWords.deletedPipelines);
  const navigate = useNavigate();
  const mayWrite = useMay('graph.write');
  const mayPurge = useMay('settings.manage');
  const names = useNames();
  const [leaving, setLeaving] = useState<Pipeline>();
  const deleted = useLoad(
    useCallback((signal) => call('pipelines.list', { query: { deleted: true, limit: MOST }, signal }), []),
  );
  const restore = ({ id, name }: Pipeline) =>
    call('pipelines.restore', { params: { pipeline: id } })
      .then(() => toast('ok', homeWords.isRestored(name)))
      .catch((error: unknown) => toast('error', messageOf(error)))
      .finally(deleted.reload);
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">{homeWords.deletedPipelines}</h1>
      <Part title={homeWords.deletedPipelines} about={homeWords.deletedAbout}>
        <LoadState of={deleted}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState
                isFramed
                title={homeWords.nothingIsDeleted}
                action={<Button onClick={() => navigate('/')}>{homeWords.toThePipelines}</Button>}
              >
                {homeWords.nothingIsDeletedAbout}
              </EmptyState>
            ) : (
              <Table
                label={homeWords.deletedPipelines}
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { head: homeWords.pipeline, cell: ({ name }) => <strong>{name}</strong> },
                  {
                    head: homeWords.deleted,
                    width: 260,
                    cell: ({ deletedAt, deletedBy }) => (
                      <>
                        {deletedAt && <WallTime at={deletedAt} as="ago" />}{' '}
                        {deletedBy && names.has(deletedBy) && homeWords.by(names.get(deletedBy) ?? '')}
                      </>
                    ),
                  },
                  {
                    head: homeWords.keptUntil,
                    width: 140,
                    cell: ({ deletedAt }) => deletedAt && <WallTime at={deletedAt + KEPT_MS} as="day" />,
                  },
                  {
                    head: homeWords.actions,
                    isHeadHidden: true,
                    align: 'right',
                    width: 180,
                    cell: (pipeline) => (
                      <span className={styles.rowActions}>
                        {mayWrite && (
                          <Button size="small" icon={ArchiveRestore} onClick={() => void restore(pipeline)}>
                            {homeWords.restore}
                          </Button>
                        )}
                        {mayPurge && (
                          <IconButton
                            icon={Trash2}
                            size="small"
                            label={homeWords.purge(pipeline.name)}
                            onClick={() => setLeaving(pipeline)}
                          />
                        )}
                      </span>
                    ),
                  },
                ]}
              />
            )
          }
        </LoadState>
      </Part>
      {leaving && (
        <PurgePipeline pipeline={leaving} onDone={deleted.reload} onClose={() => setLeaving(undefined)} />
      )}
    </main>
  );
}

interface PurgePipelineProps {
  readonly pipeline: Pipeline;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function PurgePipeline({ pipeline: { id, name }, onDone, onClose }: PurgePipelineProps) {
  const purge = useAction(async () => {
    await call('pipelines.purge', { params: { pipeline: id } });
    onDone();
    onClose();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={homeWords.askPurge(name)}
      verb={homeWords.deleteForGood}
      isDanger
      busy={purge.busy}
      error={purge.error}
      onConfirm={() => void purge.run()}
    >
      {homeWords.purgeAbout}
    </Confirm>
  );
}
