import { Navigate, useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { signedIn, useSession } from '../shell/session-store.ts';
import { commonWords } from '../text/strings/common.ts';
import { signInWords } from '../text/strings/sign-in.ts';
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
    <Door title={commonWords.signIn} about={signInWords.youStaySigned}>
      {asked.get('why') === 'password-set' && <Notice tone="ok">{signInWords.yourNewPasswordIsSet}</Notice>}
      <AccountForm
        fields={['email', 'password']}
        button={commonWords.signIn}
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
    {signInWords.forgotYourPasswordAnOwner} <code>npx millrace reset-password</code>
  </p>
);
