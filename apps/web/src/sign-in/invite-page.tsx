import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { signedIn } from '../shell/session-store.ts';
import { Notice } from '../ui/notice.tsx';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function InvitePage() {
  const secret = linkSecret();
  return secret ? (
    <Invitation secret={secret} />
  ) : (
    <LinkMissing what="An invitation" how="Copy all of it, or ask for a new one." />
  );
}

function Invitation({ secret }: { readonly secret: string }) {
  const navigate = useNavigate();
  const found = useLoad(
    useCallback((signal) => call('invitations.look', { body: { secret }, signal }), [secret]),
  );
  if (found.kind === 'loading') return <Door title="You are invited">{null}</Door>;
  if (found.kind === 'failed')
    return (
      <Door title="This invitation does not work">
        <Notice tone="error">{messageOf(found.error)}</Notice>
      </Door>
    );
  const { workspace, role, email } = found.value;
  return (
    <Door title={`Join ${workspace}`} about={`You are invited as ${role}. The link is good once.`}>
      <AccountForm
        fields={['email', 'name', 'password']}
        button="Join"
        isNewPassword
        fixedEmail={email ?? undefined}
        onSubmit={async ({ name, ...rest }) => {
          const body = { secret, ...rest, ...(name.trim() && { name }) };
          signedIn(await call('invitations.accept', { body }));
          navigate('/', { replace: true });
        }}
      />
    </Door>
  );
}
