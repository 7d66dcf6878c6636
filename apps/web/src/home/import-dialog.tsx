import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { FileArchive } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { Notice } from '../ui/notice.tsx';
import { ImportPreview } from './import-preview.tsx';

export interface ImportDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

type Preview = AnswerOf<RouteOf<'pipelines.import'>>;

/** First what the archive would bring, then, when that is agreed to, the pipeline. */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  const { workspace } = useMe();
  const navigate = useNavigate();
  const [zip, setZip] = useState<File>();
  const [preview, setPreview] = useState<Preview>();
  const look = useAction(async (file: File) => {
    setZip(file);
    setPreview(undefined);
    setPreview(await call('pipelines.import', { stream: file, signal: look.signal }));
  });
  const bring = useAction(async (file: File) => {
    const { pipeline } = await call('pipelines.import', {
      query: { apply: true },
      stream: file,
      signal: bring.signal,
    });
    navigate(`/w/${workspace.id}/p/${pipeline}`);
  });
  const close = () => {
    setZip(undefined);
    setPreview(undefined);
    onClose();
  };
  const error = bring.error ?? look.error;
  return (
    <Dialog
      open={open}
      onClose={close}
      title={homeWords.importAPipeline}
      about={homeWords.fromAZipThatMillrace}
      actions={
        <>
          <Button onClick={close}>{commonWords.cancel}</Button>
          <Button
            look="primary"
            disabled={!preview || !zip}
            busy={bring.busy}
            onClick={() => zip && void bring.run(zip)}
          >
            {homeWords.import}
          </Button>
        </>
      }
    >
      <FilePicker
        accept=".zip"
        icon={FileArchive}
        file={zip}
        busy={look.busy}
        onCancel={look.isLong ? look.cancel : bring.isLong ? bring.cancel : undefined}
        onPick={(file) => void look.run(file)}
      >
        {homeWords.dropAZipHere}
      </FilePicker>
      {error && <Notice tone="error">{error}</Notice>}
      {preview && <ImportPreview preview={preview} />}
    </Dialog>
  );
}
