import { useParams } from 'react-router';
import { useMay, useMe } from '../shell/session-store.ts';
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
      title="Settings"
      path={`/w/${workspace.id}/settings`}
      chosen={section}
      sections={[
        { id: 'account', name: 'Your account', content: () => <AccountSettings /> },
        ...(mayReadData ? [{ id: 'files', name: 'Files', content: () => <Files /> }] : []),
        ...(maySet
          ? [
              { id: 'secrets', name: 'Secrets', content: () => <Secrets /> },
              { id: 'reach', name: 'Hosts and folders', content: () => <Reach /> },
              { id: 'workspace', name: 'Workspace', content: () => <WorkspaceName /> },
            ]
          : []),
      ]}
    />
  );
}
