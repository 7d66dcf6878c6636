import { useParams } from 'react-router';
import { useMay, useMe } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
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
      title={commonWords.team}
      path={`/w/${workspace.id}/team`}
      chosen={section}
      sections={[
        {
          id: 'members',
          name: teamWords.members,
          content: () => (
            <>
              <Members />
              {mayManage && <Invitations />}
            </>
          ),
        },
        { id: 'tokens', name: teamWords.apiTokens, content: () => <Tokens /> },
        ...(maySet ? [{ id: 'audit', name: teamWords.auditLog, content: () => <AuditLog /> }] : []),
      ]}
    />
  );
}
