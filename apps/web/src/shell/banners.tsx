import { useEffect, useState } from 'react';
import { useConnection } from '../sockets/connection.ts';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Banner } from './banner.tsx';
import { useSession } from './session-store.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** A cut that heals by itself within this is nobody's business. */
const QUIET_MS = 1_500;

/** What is wrong between this page and its server, over everything. Nothing that was typed goes away. */
export function Banners() {
  const session = useSession();
  const connection = useConnection();
  const isLate = useIsLate(connection.kind === 'reconnecting');
  if (session.kind === 'in' && session.expired) return <SignInAgain />;
  if (connection.kind === 'refused' && connection.code === 'other-protocol')
    return (
      <Banner
        action={
          <Button size="small" onClick={() => location.reload()}>
            {shellWords.reload}
          </Button>
        }
      >
        {shellWords.theServerWasUpdatedYour}
      </Banner>
    );
  if (isLate)
    return (
      <Banner>
        <Spinner />
        {shellWords.reconnectingTheServerDoes}
      </Banner>
    );
  return null;
}

function useIsLate(isOn: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isOn) return setLate(false);
    const timer = setTimeout(() => setLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isLate;
}
