import { useParams } from 'react-router';
import { useMay, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { settingsWords } from '../text/strings/settings.ts';
import { Sections } from '../ui/sections.tsx';
import { AccountSettings } from './account-settings.tsx';
import { Files } from './files.tsx';
import { Reach } from './reach.tsx';
import { Secrets } from './secrets.tsx';
import { WorkspaceName } from './workspace-name.tsx';

export function SettingsPage() {
  const { section } = useParams();
  const { workspace } = useMe();
  const maySet = useMay('settings.manage');
  const mayReadData = useMay('data.read');
  return (
    <Sections
      title={commonWords.settings}
      path={`/w/${workspace.id}/settings`}
      chosen={section}
      sections={[
        { id: 'account', name: settingsWords.yourAccount, content: () => <AccountSettings /> },
        ...(mayReadData ? [{ id: 'files', name: settingsWords.files, content: () => <Files /> }] : []),
        ...(maySet
          ? [
              { id: 'secrets', name: settingsWords.secrets, content: () => <Secrets /> },
              { id: 'reach', name: settingsWords.hostsAndFolders, content: () => <Reach /> },
              { id: 'workspace', name: commonWords.workspace, content: () => <WorkspaceName /> },
            ]
          : []),
      ]}
    />
  );
}
