import { ChevronDown, History, OctagonX, Pause, Play, RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../shell/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { RunStateBadge } from '../../ui/run-state.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useEditor } from '../editor-context.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import styles from './run-controls.module.css';
import { type Deployment, useDeployment } from './use-deployment.ts';
import { VersionsDialog } from './versions-dialog.tsx';

type Wish = 'start' | 'stop' | 'kill' | 'pause' | 'resume' | 'rollback';

/** What runs, and everything one can do about it. */
export function RunControls() {
  const { pipeline, canEdit } = useEditor();
  const { deployment, set } = useDeployment(pipeline);
  const mayDeploy = useMay('run.deploy');
  const mayOperate = useMay('run.operate');
  const [dialog, setDialog] = useState<'deploy' | 'versions'>();
  const [version, setVersion] = useState<number>();
  const close = (): void => {
    setDialog(undefined);
    setVersion(undefined);
  };
  const wish = (what: Wish): void => {
    const params = { pipeline };
    const done = what === 'rollback' ? call('deployments.rollback', { params, body: {} }) : ask(what, params);
    done.then(set, (error: unknown) => toast('error', messageOf(error)));
  };
  if (deployment === undefined) return null;
  const state = deployment?.observed.state;
  return (
    <div className={styles.controls}>
      <State deployment={deployment} />
      {deployment !== null && mayOperate && (
        <Menu trigger={<IconButton icon={ChevronDown} label="Run actions" size="small" />}>
          {state === 'paused' ? (
            <MenuItem icon={Play} onSelect={() => wish('resume')}>
              Resume
            </MenuItem>
          ) : (
            <MenuItem icon={Pause} disabled={state !== 'running'} onSelect={() => wish('pause')}>
              Pause
            </MenuItem>
          )}
          {deployment.desired === 'stopped' ? (
            <MenuItem icon={Play} onSelect={() => wish('start')}>
              Start where it was
            </MenuItem>
          ) : (
            <MenuItem icon={Square} onSelect={() => wish('stop')}>
              Stop after what is in flight
            </MenuItem>
          )}
          <MenuItem icon={OctagonX} isDanger onSelect={() => wish('kill')}>
            Stop at once
          </MenuItem>
          {mayDeploy && (
            <>
              <MenuSeparator />
              <MenuItem icon={RotateCcw} onSelect={() => wish('rollback')}>
                Roll back to the version before
              </MenuItem>
            </>
          )}
        </Menu>
      )}
      <IconButton icon={History} label="Versions" onClick={() => setDialog('versions')} />
      {mayDeploy && canEdit && (
        <Button look="primary" size="small" onClick={() => setDialog('deploy')}>
          Deploy
        </Button>
      )}
      {dialog === 'deploy' && (
        <DeployDialog version={version} running={deployment?.version} onDone={set} onClose={close} />
      )}
      {dialog === 'versions' && (
        <VersionsDialog
          running={deployment?.version}
          onClose={close}
          onDeploy={(number) => {
            setVersion(number);
            setDialog('deploy');
          }}
        />
      )}
    </div>
  );
}

const ask = (what: Exclude<Wish, 'rollback'>, params: { pipeline: string }): Promise<Deployment> =>
  call(`deployments.${what}`, { params });

function State({ deployment }: { readonly deployment: Deployment | null }) {
  const state = deployment?.observed.state ?? 'none';
  const reason = deployment?.observed.reason;
  const words = (
    <span className={styles.state} role="status" tabIndex={reason ? 0 : undefined}>
      <RunStateBadge state={state} bare />
      {deployment !== null && <span className={styles.version}>v{deployment.version}</span>}
    </span>
  );
  return reason ? <Tooltip text={reason}>{words}</Tooltip> : words;
}
