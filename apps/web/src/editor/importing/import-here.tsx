import type { Reading } from '@millrace/document';
import { readFolder } from '@millrace/graph';
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { FileArchive, FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { ImportPreview } from '../../home/import-preview.tsx';
import { commonWords } from '../../text/strings/common.ts';
import { importingWords as words } from '../../text/strings/importing.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { folderArchive } from './folder-archive.ts';

/** A zip or folder into the open draft: first what it would change, then, as one step to undo, the change. */
export function ImportHere() {
  const { store, canEdit } = useEditor();
  const isOpen = useEditorState((state) => state.isImporting);
  if (!isOpen || !canEdit) return null;
  return <Open onClose={() => store.setState({ isImporting: false })} />;
}

interface Looked {
  readonly preview: AnswerOf<RouteOf<'pipelines.import-onto'>>;
  /** The draft it was compared with. */
  readonly draft: Reading;
}

function Open({ onClose }: { readonly onClose: () => void }) {
  const { draft, pipeline, actions } = useEditor();
  const [archive, setArchive] = useState<File>();
  const [looked, setLooked] = useState<Looked>();
  const [isEdited, setEdited] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const look = useAction(async (file: File) => {
    setArchive(file);
    setLooked(undefined);
    await draft.flush();
    const before = draft.document.read();
    const preview = await call('pipelines.import-onto', {
      params: { pipeline },
      stream: file,
      signal: look.signal,
    });
    setLooked({ preview, draft: before });
  });
  const lookInto = useAction(async (chosen: readonly File[]) => {
    const zip = await folderArchive(chosen);
    if (zip === undefined) throw new Error(words.noPipelineIn);
    const [name = ''] = (chosen[0]?.webkitRelativePath ?? '').split('/');
    await look.run(new File([zip], name, { type: zip.type }));
  });
  const bring = async ({ preview, draft: before }: Looked): Promise<void> => {
    // What others did meanwhile is not undone unseen.
    if (draft.document.read() !== before && archive !== undefined) {
      setEdited(true);
      return look.run(archive);
    }
    const read = readFolder(new Map(Object.entries(preview.files)));
    if (actions.run({ kind: 'apply-folder', folder: read }) === undefined) return;
    toast('ok', words.imported, { label: words.undo, run: () => actions.undo() });
    onClose();
  };
  const error = look.error ?? lookInto.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      about={words.about}
      actions={
        <>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button look="primary" disabled={looked === undefined} onClick={() => looked && void bring(looked)}>
            {words.import}
          </Button>
        </>
      }
    >
      <FilePicker
        accept=".zip"
        icon={FileArchive}
        file={archive}
        busy={look.busy}
        onCancel={look.isLong ? look.cancel : undefined}
        onPick={(file) => {
          setEdited(false);
          void look.run(file);
        }}
      >
        {words.dropAZip}
      </FilePicker>
      <div>
        <Button size="small" icon={FolderOpen} onClick={() => folder.current?.click()}>
          {words.chooseAFolder}
        </Button>
      </div>
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          target.value = '';
          setEdited(false);
          if (chosen.length > 0) void lookInto.run(chosen);
        }}
      />
      {error && <Notice tone="error">{error}</Notice>}
      {isEdited && <Notice tone="info">{words.editedMeanwhile}</Notice>}
      {looked && <ImportPreview preview={looked.preview} isOnto />}
    </Dialog>
  );
}
