import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { sessionStore } from '../shell/session-store.ts';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function PasswordPage() {
  const secret = linkSecret();
  const navigate = useNavigate();
  if (!secret)
    return <LinkMissing what="The link for a new password" how="Copy all of it, or ask for a new one." />;
  return (
    <Door title="Set a new password" about="This ends all sessions of the account. The link is good once.">
      <AccountForm
        fields={['password']}
        button="Set the password"
        isNewPassword
        onSubmit={async ({ password }) => {
          await call('account.reset-password', { body: { secret, password } });
          sessionStore.setState({ kind: 'out' }, true);
          navigate('/sign-in?why=password-set', { replace: true });
        }}
      />
    </Door>
  );
}
