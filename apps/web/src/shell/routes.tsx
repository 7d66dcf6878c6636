/** Every address of the page. What only some need is loaded when it is first opened. */
import { createBrowserRouter } from 'react-router';
import { InvitePage } from '../sign-in/invite-page.tsx';
import { PasswordPage } from '../sign-in/password-page.tsx';
import { SetupPage } from '../sign-in/setup-page.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { BrokenPage } from './broken-page.tsx';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './not-found-page.tsx';

export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    // The first view is empty until its part of the page is there: a spinner for 50 ms is only a flash.
    HydrateFallback: () => null,
    children: [
      { path: '/sign-in', Component: SignInPage },
      { path: '/setup', Component: SetupPage },
      { path: '/invite', Component: InvitePage },
      { path: '/password', Component: PasswordPage },
      {
        Component: Frame,
        children: [
          {
            index: true,
            lazy: async () => ({ Component: (await import('../home/home-page.tsx')).HomePage }),
          },
          {
            path: '/w/:workspace/deleted',
            lazy: async () => ({ Component: (await import('../home/deleted-page.tsx')).DeletedPage }),
          },
          {
            path: '/w/:workspace/p/:pipeline',
            lazy: async () => ({ Component: (await import('../editor/editor-page.tsx')).EditorPage }),
          },
          {
            path: '/w/:workspace/p/:pipeline/runtime',
            lazy: async () => ({ Component: (await import('../runtime/runtime-page.tsx')).RuntimePage }),
          },
          {
            path: '/w/:workspace/team/:section?',
            lazy: async () => ({ Component: (await import('../team/team-page.tsx')).TeamPage }),
          },
          {
            path: '/w/:workspace/settings/:section?',
            lazy: async () => ({ Component: (await import('../settings/settings-page.tsx')).SettingsPage }),
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]);
