import { useEffect, useState } from 'react';
import { useConnection } from '../sockets/connection.ts';
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
            Reload
          </Button>
        }
      >
        The server was updated. Your edits are kept; reload to go on with the new version.
      </Banner>
    );
  if (isLate)
    return (
      <Banner>
        <Spinner />
        Reconnecting. The server does not answer; what you edit is kept here and sent when it does.
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
