import { useParams } from 'react-router';
import { useMay, useMe } from '../shell/session-store.ts';
import { Sections } from '../ui/sections.tsx';
import { AuditLog } from './audit-log.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { Tokens } from './tokens.tsx';

export function TeamPage() {
  const { section } = useParams();
  const { workspace } = useMe();
  const mayManage = useMay('members.manage');
  const maySet = useMay('settings.manage');
  return (
    <Sections
      title="Team"
      path={`/w/${workspace.id}/team`}
      chosen={section}
      sections={[
        {
          id: 'members',
          name: 'Members',
          content: () => (
            <>
              <Members />
              {mayManage && <Invitations />}
            </>
          ),
        },
        { id: 'tokens', name: 'API tokens', content: () => <Tokens /> },
        ...(maySet ? [{ id: 'audit', name: 'Audit log', content: () => <AuditLog /> }] : []),
      ]}
    />
  );
}
