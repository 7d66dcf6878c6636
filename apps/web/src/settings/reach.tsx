import { useCallback, useState } from 'react';
import { callTagged } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Part } from '../ui/sections.tsx';
import { TextArea } from '../ui/text-input.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './settings.module.css';

/** What connectors reach beyond public addresses and the workspace's own files. */
export function Reach() {
  const access = useLoad(useCallback((signal) => callTagged('access.read', { signal }), []));
  return (
    <Part title={settingsWords.hostsAndFolders} about={settingsWords.connectorsReachPublicAddresses}>
      <LoadState of={access}>
        {({ data, etag }) => (
          <ReachForm
            // A saved or reloaded version begins from what is true now.
            key={etag}
            hosts={data.hosts}
            folders={data.folders}
            etag={etag}
            onSaved={access.set}
          />
        )}
      </LoadState>
    </Part>
  );
}

interface ReachFormProps {
  readonly hosts: readonly string[];
  readonly folders: readonly string[];
  readonly etag: string | undefined;
  readonly onSaved: (value: Awaited<ReturnType<typeof callTagged<'access.read'>>>) => void;
}

function ReachForm({ hosts, folders, etag, onSaved }: ReachFormProps) {
  const [hostText, setHostText] = useState(hosts.join('\n'));
  const [folderText, setFolderText] = useState(folders.join('\n'));
  const save = useAction(async () => {
    const body = { hosts: linesOf(hostText), folders: linesOf(folderText) };
    onSaved(await callTagged('access.write', { body, ifMatch: etag }));
    toast('ok', settingsWords.savedPipelinesFollow);
  });
  const isSame = hostText === hosts.join('\n') && folderText === folders.join('\n');
  return (
    <form
      className={styles.areas}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <Field label={settingsWords.privateHosts} hint={settingsWords.oneALineAName}>
        {(control) => (
          <TextArea
            {...control}
            isCode
            placeholder="metrics.internal:9090"
            value={hostText}
            onChange={(event) => setHostText(event.target.value)}
          />
        )}
      </Field>
      <Field label={settingsWords.foldersOnTheServer} hint={settingsWords.oneALineAbsolutePaths}>
        {(control) => (
          <TextArea
            {...control}
            isCode
            placeholder="/srv/exports"
            value={folderText}
            onChange={(event) => setFolderText(event.target.value)}
          />
        )}
      </Field>
      {save.error && <Notice tone="error">{save.error}</Notice>}
      <div>
        <Button type="submit" busy={save.busy} disabled={isSame}>
          {settingsWords.save}
        </Button>
      </div>
    </form>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
