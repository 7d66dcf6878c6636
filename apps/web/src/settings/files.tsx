import { Download, FileUp, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call, callForBlob } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { useMay } from '../shell/session-store.ts';
import { formatBytes } from '../text/format-number.ts';
import { formatAgo } from '../text/format-time.ts';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Part } from '../ui/sections.tsx';
import { Table } from '../ui/table.tsx';
import { toast } from '../ui/toast-store.ts';

const MOST = 200;

const partsOf = (path: string): string[] => path.split('/');

/** What file connectors read and write by relative paths. */
export function Files() {
  const mayWrite = useMay('data.write');
  const files = useLoad(useCallback((signal) => call('files.list', { query: { limit: MOST }, signal }), []));
  const [picked, setPicked] = useState<File>();
  const upload = useAction(async (file: File) => {
    setPicked(file);
    await call('files.write', { params: { path: [file.name] }, stream: file });
    setPicked(undefined);
    toast('ok', `${file.name} is uploaded.`);
    files.reload();
  });
  const tell = (error: unknown) => toast('error', messageOf(error));
  const download = (path: string) =>
    callForBlob('files.read', { params: { path: partsOf(path) } })
      .then((content) => saveFile(partsOf(path).at(-1) ?? path, content))
      .catch(tell);
  const [leaving, setLeaving] = useState<string>();
  return (
    <Part title="Files" about="What file connectors read and write by relative paths.">
      {mayWrite && (
        <div style={{ display: 'grid', marginBottom: 16 }}>
          <FilePicker icon={FileUp} file={picked} busy={upload.busy} onPick={(file) => void upload.run(file)}>
            Drop a file here, or choose one. One of the same name is replaced.
          </FilePicker>
        </div>
      )}
      {upload.error && <Notice tone="error">{upload.error}</Notice>}
      <LoadState of={files}>
        {({ items, next }) =>
          items.length === 0 ? (
            <EmptyState isFramed title="No files">
              Pipelines that write files leave them here.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Files"
                rows={items}
                keyOf={({ path }) => path}
                columns={[
                  { head: 'Path', cell: ({ path }) => <code>{path}</code> },
                  { head: 'Size', width: 100, align: 'right', cell: ({ size }) => formatBytes(size) },
                  {
                    head: 'Changed',
                    width: 120,
                    cell: ({ modifiedAt }) => formatAgo(Date.parse(modifiedAt)),
                  },
                  {
                    head: 'Actions',
                    isHeadHidden: true,
                    width: 88,
                    align: 'right',
                    cell: ({ path }) => (
                      <>
                        <IconButton
                          icon={Download}
                          label={`Download ${path}`}
                          size="small"
                          onClick={() => void download(path)}
                        />
                        {mayWrite && (
                          <IconButton
                            icon={Trash2}
                            label={`Delete ${path}`}
                            size="small"
                            onClick={() => setLeaving(path)}
                          />
                        )}
                      </>
                    ),
                  },
                ]}
              />
              {next && <p>Only the first {MOST} are shown.</p>}
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
      title={`Delete ${path}?`}
      verb="Delete"
      isDanger
      busy={remove.busy}
      error={remove.error}
      onConfirm={() => void remove.run()}
    >
      It cannot be brought back, and a pipeline that reads it fails.
    </Confirm>
  );
}
