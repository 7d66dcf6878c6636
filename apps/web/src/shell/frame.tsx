import { Navigate, Outlet, useLocation } from 'react-router';
import { commonWords } from '../text/strings/common.ts';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';
import { Banners } from './banners.tsx';
import styles from './frame.module.css';
import { NotFoundPage } from './not-found-page.tsx';
import { Overlays } from './overlays.tsx';
import { askWhoIAm, useSession } from './session-store.ts';
import { TopBar } from './top-bar.tsx';

/** Around everything of who is signed in. */
export function Frame() {
  const session = useSession();
  const { pathname, search } = useLocation();
  switch (session.kind) {
    case 'asking':
      return <div className={styles.frame} aria-busy="true" />;
    case 'out':
      return <Navigate to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />;
    case 'unreachable':
      return (
        <EmptyState
          picture={<Mark size={40} />}
          title={shellWords.theServerDoesNotAnswer}
          action={
            <Button look="primary" onClick={() => void askWhoIAm()}>
              {commonWords.tryAgain}
            </Button>
          }
        >
          {session.detail}
        </EmptyState>
      );
    case 'in':
      return (
        <div className={styles.frame}>
          <TopBar />
          <div className={styles.view}>
            {isHere(pathname, session.me.workspace.id) ? <Outlet /> : <NotFoundPage />}
          </div>
          <Banners />
          <Overlays />
        </div>
      );
  }
}

/** One may see one's own workspace; under the address of another there is nothing. */
function isHere(pathname: string, workspace: string): boolean {
  const asked = /^\/w\/([^/]+)/.exec(pathname)?.[1];
  return asked === undefined || decodeURIComponent(asked) === workspace;
}
