import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isCancelled, messageOf } from '../api/api-error.ts';
import { call, callForBlob } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { TextInput } from '../ui/text-input.tsx';
import { toast, toastWhile } from '../ui/toast-store.ts';
import type { CardAction, Pipeline } from './pipeline-card.tsx';

export interface PendingAction {
  readonly kind: CardAction;
  readonly pipeline: Pipeline;
}

export interface CardActionsProps {
  readonly action: PendingAction;
  /** Something is other than before. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** What a card's menu started: some ask first, some are done at once. */
export function CardActions({ action: { kind, pipeline }, onDone, onClose }: CardActionsProps) {
  switch (kind) {
    case 'delete':
      return <DeletePipeline pipeline={pipeline} onDone={onDone} onClose={onClose} />;
    case 'rename':
    case 'tags':
      return <ChangePipeline kind={kind} pipeline={pipeline} onDone={onDone} onClose={onClose} />;
    default:
      return <AtOnce kind={kind} pipeline={pipeline} onClose={onClose} />;
  }
}

type Props = Omit<CardActionsProps, 'action'> & { readonly pipeline: Pipeline };

function AtOnce({ kind, pipeline, onClose }: { kind: CardAction; pipeline: Pipeline; onClose: () => void }) {
  const { workspace } = useMe();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: done once, when it was asked for
  useEffect(() => {
    const params = { pipeline: pipeline.id };
    const work =
      kind === 'export'
        ? toastWhile(homeWords.exporting(pipeline.name), commonWords.cancel, (signal) =>
            callForBlob('pipelines.export', { params, signal }),
          ).then((zip) => saveFile(`${pipeline.name}.zip`, zip))
        : toastWhile(homeWords.copying(pipeline.name), commonWords.cancel, (signal) =>
            call('pipelines.duplicate', { params, body: {}, signal }),
          ).then(({ id }) => navigate(`/w/${workspace.id}/p/${id}`));
    work.catch(tellUnlessCancelled).finally(onClose);
  }, []);
  return null;
}

function tellUnlessCancelled(error: unknown): void {
  if (!isCancelled(error)) toast('error', messageOf(error));
}

function DeletePipeline({ pipeline, onDone, onClose }: Props) {
  const params = { pipeline: pipeline.id };
  const undo = () =>
    call('pipelines.restore', { params }).then(onDone, (error: unknown) => toast('error', messageOf(error)));
  const remove = useAction(async () => {
    await call('pipelines.delete', { params });
    onDone();
    onClose();
    toast('ok', homeWords.isDeleted(pipeline.name), { label: homeWords.undo, run: () => void undo() });
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={homeWords.askDelete(pipeline.name)}
      verb={commonWords.delete}
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      {homeWords.itLeavesTheList}
    </Confirm>
  );
}

function ChangePipeline({ kind, pipeline, onDone, onClose }: Props & { readonly kind: 'rename' | 'tags' }) {
  const isRename = kind === 'rename';
  const [text, setText] = useState(isRename ? pipeline.name : pipeline.tags.join(', '));
  const change = useAction(async () => {
    const tags = text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    await call('pipelines.change', {
      params: { pipeline: pipeline.id },
      ifMatch: pipeline.revision,
      body: isRename ? { name: text } : { tags },
    });
    onDone();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={isRename ? homeWords.renameOne(pipeline.name) : homeWords.tagsOf(pipeline.name)}
      width="narrow"
      actions={
        <>
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button look="primary" type="submit" form="change-pipeline" busy={change.busy}>
            {isRename ? commonWords.rename : homeWords.saveTheTags}
          </Button>
        </>
      }
    >
      <form
        id="change-pipeline"
        onSubmit={(event) => {
          event.preventDefault();
          void change.run();
        }}
      >
        <Field
          label={isRename ? commonWords.name : homeWords.tags}
          hint={isRename ? undefined : homeWords.separatedByCommas}
        >
          {(control) => (
            <TextInput
              {...control}
              autoFocus
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </form>
      {change.error && <Notice tone="error">{change.error}</Notice>}
    </Dialog>
  );
}
