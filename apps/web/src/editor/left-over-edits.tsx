import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import type { LeftOver } from '../document/left-over.ts';
import { useMay, useMe } from '../shell/session-store.ts';
import { editorWords } from '../text/strings/editor.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { WallTime } from '../ui/time.tsx';
import { download } from './draft-ended.tsx';
import { useEditor } from './editor-context.tsx';

/** Edits that waited in this browser while the draft was made anew: a pipeline of their own, a file, or nothing. */
export function LeftOverEdits() {
  const { leftOver } = useEditor().draft;
  const [isOpen, setOpen] = useState(true);
  if (leftOver === undefined || !isOpen) return null;
  return <Offer leftOver={leftOver} onClose={() => setOpen(false)} />;
}

function Offer({ leftOver, onClose }: { readonly leftOver: LeftOver; readonly onClose: () => void }) {
  const { pipeline } = useEditor();
  const { workspace } = useMe();
  const navigate = useNavigate();
  const mayWrite = useMay('graph.write');
  const { at, files, update, forget } = leftOver;
  const discard = useAction(async () => {
    await forget();
    onClose();
  });
  const make = useAction(async () => {
    const { id } = await call('pipelines.create', { body: { files: anew(files ?? new Map()) } });
    await forget();
    navigate(`/w/${workspace.id}/p/${id}`);
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={editorWords.editsLeftOver}
      about={at !== undefined && <WallTime at={at} />}
      actions={
        <>
          <Button look="danger" busy={discard.busy} onClick={() => void discard.run()}>
            {editorWords.discardThem}
          </Button>
          <Button onClick={() => download(pipeline, { files: files ?? new Map(), update })}>
            {editorWords.downloadThem}
          </Button>
          {files && mayWrite && (
            <Button look="primary" busy={make.busy} onClick={() => void make.run()}>
              {editorWords.openAsPipeline}
            </Button>
          )}
        </>
      }
    >
      <p>{editorWords.editsLeftOverAbout}</p>
      {make.error && <Notice tone="error">{make.error}</Notice>}
    </Dialog>
  );
}

/** The id stays with the pipeline that has it. */
function anew(files: ReadonlyMap<string, string>): Record<string, string> {
  const copied = Object.fromEntries(files);
  try {
    const { id: _taken, ...rest } = JSON.parse(copied['pipeline.json'] ?? '{}') as Record<string, unknown>;
    const name = editorWords.leftOverName(String(rest.name ?? ''));
    return { ...copied, 'pipeline.json': JSON.stringify({ ...rest, name }, undefined, 2) };
  } catch {
    return copied;
  }
}
