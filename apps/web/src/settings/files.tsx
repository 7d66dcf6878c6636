import { Download, FileUp, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { isCancelled, messageOf } from '../api/api-error.ts';
import { call, callForBlob } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay } from '../shell/session-store.ts';
import { formatBytes } from '../text/format-number.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import { toast, toastWhile } from '../ui/toast-store.ts';

const MOST = 200;

const partsOf = (path: string): string[] => path.split('/');

/** What file connectors read and write by relative paths. */
export function Files() {
  const mayWrite = useMay('data.write');
  const files = useLoad(useCallback((signal) => call('files.list', { query: { limit: MOST }, signal }), []));
  const [picked, setPicked] = useState<File>();
  const upload = useAction(async (file: File) => {
    setPicked(file);
    await call('files.write', { params: { path: [file.name] }, stream: file, signal: upload.signal });
    setPicked(undefined);
    toast('ok', settingsWords.isUploaded(file.name));
    files.reload();
  });
  const tell = (error: unknown) => {
    if (!isCancelled(error)) toast('error', messageOf(error));
  };
  const download = (path: string) =>
    toastWhile(settingsWords.downloading(path), commonWords.cancel, (signal) =>
      callForBlob('files.read', { params: { path: partsOf(path) }, signal }),
    )
      .then((content) => saveFile(partsOf(path).at(-1) ?? path, content))
      .catch(tell);
  const [leaving, setLeaving] = useState<string>();
  return (
    <Part title={settingsWords.files} about={settingsWords.whatFileConnectorsRead}>
      {mayWrite && (
        <div style={{ display: 'grid', marginBottom: 16 }}>
          <FilePicker
            icon={FileUp}
            file={picked}
            busy={upload.busy}
            onCancel={upload.isLong ? upload.cancel : undefined}
            onPick={(file) => void upload.run(file)}
          >
            {settingsWords.dropAFileHere}
          </FilePicker>
        </div>
      )}
      {upload.error && <Notice tone="error">{upload.error}</Notice>}
      <LoadState of={files}>
        {({ items, next }) =>
          items.length === 0 ? (
            <EmptyState isFramed title={settingsWords.noFiles}>
              {settingsWords.pipelinesThatWriteFilesLeave}
            </EmptyState>
          ) : (
            <>
              <Table
                label={settingsWords.files}
                rows={items}
                keyOf={({ path }) => path}
                columns={[
                  { head: settingsWords.path, cell: ({ path }) => <code>{path}</code> },
                  {
                    head: settingsWords.size,
                    width: 100,
                    align: 'right',
                    cell: ({ size }) => formatBytes(size),
                  },
                  {
                    head: settingsWords.changed,
                    width: 120,
                    cell: ({ modifiedAt }) => <WallTime at={Date.parse(modifiedAt)} as="ago" />,
                  },
                  {
                    head: commonWords.actions,
                    isHeadHidden: true,
                    width: 88,
                    align: 'right',
                    cell: ({ path }) => (
                      <>
                        <IconButton
                          icon={Download}
                          label={settingsWords.downloadOne(path)}
                          size="small"
                          onClick={() => void download(path)}
                        />
                        {mayWrite && (
                          <IconButton
                            icon={Trash2}
                            label={settingsWords.deleteOne(path)}
                            size="small"
                            onClick={() => setLeaving(path)}
                          />
                        )}
                      </>
                    ),
                  },
                ]}
              />
              {next && <p>{settingsWords.onlyFirst(MOST)}</p>}
            </>
          )
        }
      </LoadState>
      {leaving !== undefined && (
        <DeleteFile path={leaving} onDone={files.reload} onClose={() => setLeaving(undefined)} />
      )}
    </Part>
  );
}

interface DeleteFileProps {
  readonly path: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteFile({ path, onDone, onClose }: DeleteFileProps) {
  const remove = useAction(async () => {
    await call('files.delete', { params: { path: partsOf(path) } });
    onDone();
    onClose();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={settingsWords.askDelete(path)}
      verb={commonWords.delete}
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      {settingsWords.itCannotBeBroughtBack}
    </Confirm>
  );
}
