import { History } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../shell/session-store.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { useShow, useShown } from '../versions/address.ts';
import { DeployDialog } from './deploy-dialog.tsx';
import { runningVersion } from './deployed-store.ts';
import styles from './run-controls.module.css';
import { RunPopover } from './run-popover.tsx';
import type { DeployOf } from './use-deploy.ts';
import { useRunCommands } from './use-run-commands.ts';

const { controls: words } = deployWords;

/** What runs, and everything one can do about it. */
export function RunControls() {
  const { canEdit, showing } = useEditor();
  const deployment = useDeployed((state) => state.deployment);
  const mayDeploy = useMay('run.deploy');
  const [dialog, setDialog] = useState<DeployOf>();
  const show = useShow();
  const { compare } = useShown();
  const rollBack = (number: number): void => setDialog({ kind: 'rollback', number });
  const canDeploy = mayDeploy && canEdit;
  const openVersions = (): void => {
    const from = showing.kind === 'version' ? showing.number : deployment && runningVersion(deployment);
    show(compare ? {} : { compare: { from: from ?? 'draft', to: 'draft' } });
  };
  useRunCommands(deployment, {
    onRollback: rollBack,
    openVersions,
    deploy: canDeploy ? () => setDialog({ kind: 'draft' }) : undefined,
  });
  if (deployment === undefined) return null;
  return (
    <div className={styles.controls}>
      <RunPopover deployment={deployment} onRollback={rollBack} />
      <IconButton
        icon={History}
        label={words.versions}
        pressed={compare !== undefined}
        onClick={openVersions}
      />
      {canDeploy && (
        <Button look="primary" size="small" onClick={() => setDialog({ kind: 'draft' })}>
          {words.deploy}
        </Button>
      )}
      {dialog && <DeployDialog of={dialog} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
