import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { commonWords } from '../text/strings/common.ts';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { Banner } from './banner.tsx';
import { signedIn, useMe } from './session-store.ts';

/** The session ended while the page is open: one signs in over it, and everything goes on. */
export function SignInAgain() {
  const { account } = useMe();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const signIn = useAction(async () => {
    signedIn(await call('account.login', { body: { email: account.email ?? '', password } }));
  });
  return (
    <>
      <Banner
        action={
          <Button size="small" look="primary" onClick={() => setOpen(true)}>
            {shellWords.signInAgain}
          </Button>
        }
      >
        {shellWords.yourSessionHasEnded}
      </Banner>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={shellWords.signInAgain}
        about={account.email}
        width="narrow"
        actions={
          <Button look="primary" type="submit" form="sign-in-again" busy={signIn.busy}>
            {commonWords.signIn}
          </Button>
        }
      >
        <form
          id="sign-in-again"
          onSubmit={(event) => {
            event.preventDefault();
            void signIn.run();
          }}
        >
          <Field label={commonWords.password}>
            {(control) => (
              <TextInput
                {...control}
                type="password"
                autoComplete="current-password"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </form>
        {signIn.error && <Notice tone="error">{signIn.error}</Notice>}
      </Dialog>
    </>
  );
}
