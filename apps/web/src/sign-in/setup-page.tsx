import { useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { signedIn } from '../shell/session-store.ts';
import { AccountForm } from './account-form.tsx';
import { Door } from './door.tsx';
import { LinkMissing } from './link-missing.tsx';
import { linkSecret } from './link-secret.ts';

export function SetupPage() {
  const secret = linkSecret();
  const navigate = useNavigate();
  if (!secret)
    return (
      <LinkMissing
        what="The link that makes the owner account"
        how="The server prints it when it starts without an owner."
      />
    );
  return (
    <Door title="Make the owner account" about="The owner invites the others. This link is good once.">
      <AccountForm
        fields={['email', 'name', 'password']}
        button="Make the account"
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
