import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { sessionStore } from '../shell/session-store.ts';
import { signInWords } from '../text/strings/sign-in.ts';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function PasswordPage() {
  const secret = linkSecret();
  const navigate = useNavigate();
  if (!secret) return <LinkMissing what={signInWords.theLinkForANew} how={signInWords.copyAll} />;
  return (
    <Door title={signInWords.setANewPassword} about={signInWords.thisEndsAllSessions}>
      <AccountForm
        fields={['password']}
        button={signInWords.setThePassword}
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
