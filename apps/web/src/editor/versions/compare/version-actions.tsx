import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../shell/session-store.ts';
import { compareWords as words } from '../../../text/strings/compare.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { DeployDialog } from '../../deploy/deploy-dialog.tsx';
import { useEditor } from '../../editor-context.tsx';
import { useShow } from '../address.ts';

export interface VersionActionsProps {
  readonly number: number;
  readonly running: number | undefined;
}

/** What one can do with a version: look at it, make the draft it again, run it. */
export function VersionActions({ number, running }: VersionActionsProps) {
  const { pipeline, draft, canEdit } = useEditor();
  const show = useShow();
  const mayDeploy = useMay('run.deploy');
  const [dialog, setDialog] = useState<'restore' | 'deploy'>();
  const close = (): void => setDialog(undefined);
  const restore = useAction(async () => {
    await draft.flush();
    const { revision } = await call('draft.get', { params: { pipeline } });
    await call('versions.restore', { params: { pipeline, version: number }, ifMatch: revision });
    toast('ok', words.restored(number));
    close();
  });
  return (
    <>
      <Button size="small" onClick={() => show({ version: number })}>
        {words.look}
      </Button>
      {canEdit && (
        <Button size="small" onClick={() => setDialog('restore')}>
          {words.restore}
        </Button>
      )}
      {mayDeploy && number !== running && (
        <Button size="small" onClick={() => setDialog('deploy')}>
          {words.deploy}
        </Button>
      )}
      {dialog === 'deploy' && <DeployDialog of={{ kind: 'version', number }} onClose={close} />}
      <Confirm
        open={dialog === 'restore'}
        onClose={close}
        title={words.restoreTitle(number)}
        verb={words.restore}
        busy={restore.busy}
        error={restore.error}
        onConfirm={() => void restore.run()}
      >
        {words.restoreAbout}
      </Confirm>
    </>
  );
}
