import { Keyboard, LogOut, Moon, Search, Settings, Sun, SunMoon, Users, Waypoints } from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from './commands.ts';
import { openOverlay } from './overlay-store.ts';
import { signOut, useMe } from './session-store.ts';
import { setTheme } from './theme.ts';

/** What can be done from everywhere. */
export function useFrameCommands(): void {
  const navigate = useNavigate();
  const { workspace } = useMe();
  const commands = useMemo((): readonly Command[] => {
    const go = (path: string) => () => void navigate(path);
    const goTo = 'Go to';
    const theme = 'Theme';
    return [
      {
        id: 'commands',
        title: 'Find a command',
        group: 'Help',
        keys: 'mod+k',
        icon: Search,
        run: () => openOverlay('commands'),
      },
      {
        id: 'shortcuts',
        title: 'Show the shortcuts',
        group: 'Help',
        keys: '?',
        icon: Keyboard,
        run: () => openOverlay('shortcuts'),
      },
      { id: 'go.home', title: 'Pipelines', group: goTo, icon: Waypoints, words: ['home'], run: go('/') },
      {
        id: 'go.team',
        title: 'Team',
        group: goTo,
        icon: Users,
        words: ['members', 'invite', 'tokens', 'audit'],
        run: go(`/w/${workspace.id}/team`),
      },
      {
        id: 'go.settings',
        title: 'Settings',
        group: goTo,
        icon: Settings,
        words: ['secrets', 'files', 'hosts', 'folders'],
        run: go(`/w/${workspace.id}/settings`),
      },
      { id: 'theme.light', title: 'Light', group: theme, icon: Sun, run: () => setTheme('light') },
      { id: 'theme.dark', title: 'Dark', group: theme, icon: Moon, run: () => setTheme('dark') },
      {
        id: 'theme.system',
        title: 'As the system',
        group: theme,
        icon: SunMoon,
        run: () => setTheme('system'),
      },
      { id: 'sign-out', title: 'Sign out', group: 'Account', icon: LogOut, run: () => void signOut() },
    ];
  }, [navigate, workspace.id]);
  useCommands('frame', commands);
}
