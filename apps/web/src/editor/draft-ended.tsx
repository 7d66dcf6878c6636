import { useSyncExternalStore } from 'react';
import type { Rescue } from '../document/shared-draft.ts';
import { editorWords as words } from '../text/strings/editor.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useEditor } from './editor-context.tsx';

/** When this page cannot go on: why, and what was not stored, to keep. */
export function DraftEnded() {
  const { draft, pipeline } = useEditor();
  const ended = useSyncExternalStore(draft.subscribe, draft.ended);
  if (ended === undefined) return null;
  const { reason, rescue } = ended;
  const reload = (): void => location.reload();
  return (
    <Dialog
      open
      onClose={() => undefined}
      title={words.cannotGoOn}
      about={reason}
      width="narrow"
      actions={
        <>
          {rescue !== undefined && (
            <Button onClick={() => download(pipeline, rescue)}>{words.downloadMyEdits}</Button>
          )}
          <Button look="primary" onClick={reload}>
            {words.reload}
          </Button>
        </>
      }
    >
      {rescue === undefined ? words.allStored : words.notAllStored}
    </Dialog>
  );
}

/** A byte at a time: as many arguments of one call as an update has bytes are too many. */
const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export function download(pipeline: string, { files, update }: Rescue): void {
  const edits = { pipeline, savedAt: new Date().toISOString(), files: Object.fromEntries(files) };
  const text = JSON.stringify({ ...edits, update: base64(update) }, undefined, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `${pipeline}-edits.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
