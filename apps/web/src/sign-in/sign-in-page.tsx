import { Navigate, useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { signedIn, useSession } from '../shell/session-store.ts';
import { Notice } from '../ui/notice.tsx';
import { AccountForm } from './account-form.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { safePath } from './safe-path.ts';

export function SignInPage() {
  const session = useSession();
  const [asked] = useSearchParams();
  if (session.kind === 'in') return <Navigate to={safePath(asked.get('to'))} replace />;
  return (
    <Door title="Sign in" about="You stay signed in on this machine for up to 30 days.">
      {asked.get('why') === 'password-set' && (
        <Notice tone="ok">Your new password is set. Sign in with it.</Notice>
      )}
      <AccountForm
        fields={['email', 'password']}
        button="Sign in"
        isNewPassword={false}
        onSubmit={async ({ email, password }) =>
          signedIn(await call('account.login', { body: { email, password } }))
        }
      />
      <ForgotPassword />
    </Door>
  );
}

/** The server sends no mail: who is locked out asks a person. */
const ForgotPassword = () => (
  <p className={styles.aside}>
    Forgot your password? An owner of the workspace makes a link for a new one. Who runs the server can, too:{' '}
    <code>npx millrace reset-password</code>
  </p>
);
