import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { signedIn } from '../shell/session-store.ts';
import { signInWords } from '../text/strings/sign-in.ts';
import { Notice } from '../ui/notice.tsx';
import { AccountForm } from './account-form.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function InvitePage() {
  const secret = linkSecret();
  return secret ? (
    <Invitation secret={secret} />
  ) : (
    <LinkMissing what={signInWords.anInvitation} how={signInWords.copyAll} />
  );
}

function Invitation({ secret }: { readonly secret: string }) {
  const navigate = useNavigate();
  const found = useLoad(
    useCallback((signal) => call('invitations.look', { body: { secret }, signal }), [secret]),
  );
  if (found.kind === 'loading') return <Door title={signInWords.youAreInvited}>{null}</Door>;
  if (found.kind === 'failed')
    return (
      <Door title={signInWords.thisInvitationDoesNotWork}>
        <Notice tone="error">{messageOf(found.error)}</Notice>
        <p className={styles.aside}>
          {signInWords.askForAnother} <Link to="/sign-in">{signInWords.signInInstead}</Link>
        </p>
      </Door>
    );
  const { workspace, role, email } = found.value;
  return (
    <Door title={signInWords.joinOne(workspace)} about={signInWords.invitedAs(role)}>
      <AccountForm
        fields={['email', 'name', 'password']}
        button={signInWords.join}
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
