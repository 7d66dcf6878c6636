import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { signedIn } from '../shell/session-store.ts';
import { signInWords } from '../text/strings/sign-in.ts';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function SetupPage() {
  const secret = linkSecret();
  const navigate = useNavigate();
  if (!secret)
    return <LinkMissing what={signInWords.theLinkThatMakes} how={signInWords.theServerPrintsItWhen} />;
  return (
    <Door title={signInWords.makeTheOwnerAccount} about={signInWords.theOwnerInvitesTheOthers}>
      <AccountForm
        fields={['email', 'name', 'password']}
        button={signInWords.makeTheAccount}
        isNewPassword
        onSubmit={async ({ email, name, password }) => {
          const body = { secret, email, password, ...(name.trim() && { name }) };
          signedIn(await call('account.setup', { body }));
          navigate('/', { replace: true });
        }}
      />
    </Door>
  );
}
