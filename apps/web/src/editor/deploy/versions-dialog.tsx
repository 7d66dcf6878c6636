/** The versions of a pipeline: what each holds against the draft, line by line; back to one, or run one. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useMay } from '../../shell/session-store.ts';
import { formatAgo } from '../../text/format-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './deploy-dialog.module.css';
import { FileDiff } from './file-diff.tsx';

type Version = AnswerOf<RouteOf<'versions.list'>>['items'][number];

export interface VersionsDialogProps {
  readonly running: number | undefined;
  readonly onClose: () => void;
  readonly onDeploy: (version: number) => void;
}

export function VersionsDialog({ running, onClose, onDeploy }: VersionsDialogProps) {
  const { pipeline } = useEditor();
  const load = useCallback(
    (signal: AbortSignal) => call('versions.list', { params: { pipeline }, query: { limit: 100 }, signal }),
    [pipeline],
  );
  const versions = useLoad(load);
  const [chosen, setChosen] = useState<number>();
  return (
    <Dialog open onClose={onClose} title="Versions" width="widest">
      <LoadState of={versions}>
        {({ items }) => {
          const shown = items.find(({ number }) => number === chosen) ?? items[0];
          if (shown === undefined)
            return <EmptyState title="No versions yet">A deploy makes the first one.</EmptyState>;
          return (
            <div className={styles.versions}>
              <div className={styles.side}>
                {items.map((version) => (
                  <button
                    key={version.number}
                    type="button"
                    className={styles.version}
                    aria-pressed={version === shown}
                    onClick={() => setChosen(version.number)}
                  >
                    <header>
                      <span className={styles.name}>Version {version.number}</span>
                      {version.number === running && <Badge tone="ok">Deployed</Badge>}
                    </header>
                    <span className={styles.note}>{version.message || 'Without a message'}</span>
                    <span className={styles.counts}>{formatAgo(version.createdAt)}</span>
                  </button>
                ))}
              </div>
              <OneVersion key={shown.number} version={shown} onClose={onClose} onDeploy={onDeploy} />
            </div>
          );
        }}
      </LoadState>
    </Dialog>
  );
}

interface OneVersionProps extends Pick<VersionsDialogProps, 'onClose' | 'onDeploy'> {
  readonly version: Version;
}

function OneVersion({ version: { number }, onClose, onDeploy }: OneVersionProps) {
  const { pipeline, draft, canEdit } = useEditor();
  const mayDeploy = useMay('run.deploy');
  const load = useCallback(
    async (signal: AbortSignal) => {
      await draft.flush();
      return call('pipelines.diff', { params: { pipeline }, query: { from: String(number) }, signal });
    },
    [pipeline, draft, number],
  );
  const diff = useLoad(load);
  const restore = useAction(async () => {
    await draft.flush();
    const { revision } = await call('draft.get', { params: { pipeline } });
    await call('versions.restore', { params: { pipeline, version: number }, ifMatch: revision });
    toast('ok', `The draft is version ${number} again.`);
    onClose();
  });
  return (
    <div className={styles.main}>
      <div className={styles.tools}>
        {canEdit && (
          <Button size="small" busy={restore.busy} onClick={() => void restore.run()}>
            Restore into the draft
          </Button>
        )}
        {mayDeploy && canEdit && (
          <Button size="small" onClick={() => onDeploy(number)}>
            Deploy this version
          </Button>
        )}
      </div>
      {restore.error && <Notice tone="error">{restore.error}</Notice>}
      <LoadState of={diff}>
        {({ files }) =>
          files.length === 0 ? (
            <p className={styles.note}>The draft is equal to this version.</p>
          ) : (
            <FileDiff files={files} />
          )
        }
      </LoadState>
    </div>
  );
}
