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
  const [isPutOff, setPutOff] = useState(false);
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
  if (connection.kind === 'connected' && isOtherBuild(connection.build) && !isPutOff)
    return (
      <Banner
        action={
          <>
            <Button size="small" look="quiet" onClick={() => setPutOff(true)}>
              {shellWords.later}
            </Button>
            <Button size="small" onClick={() => location.reload()}>
              {shellWords.reload}
            </Button>
          </>
        }
      >
        {shellWords.thereIsANewerPage}
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

/** The server writes into the page which build it is of; a page of the development server carries none. */
function isOtherBuild(build: string): boolean {
  const own = document.documentElement.dataset.build;
  return own !== undefined && own !== build;
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
