import {
  Clock,
  Keyboard,
  LogOut,
  Moon,
  Search,
  Settings,
  Sun,
  SunMoon,
  Users,
  Waypoints,
} from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { commonWords } from '../text/strings/common.ts';
import { shellWords } from '../text/strings/shell.ts';
import { setTimeZone, type TimeZone, useTimeZone } from '../text/time-zone.ts';
import { type Command, useCommands } from './commands.ts';
import { openOverlay } from './overlay-store.ts';
import { signOut, useMe } from './session-store.ts';
import { setTheme } from './theme.ts';

/** What can be done from everywhere. */
export function useFrameCommands(): void {
  const navigate = useNavigate();
  const { workspace } = useMe();
  const zone = useTimeZone();
  const commands = useMemo((): readonly Command[] => {
    const go = (path: string) => () => void navigate(path);
    const goTo = shellWords.goTo;
    const theme = shellWords.theme;
    return [
      {
        id: 'commands',
        title: shellWords.findACommand,
        group: shellWords.help,
        keys: 'mod+k',
        icon: Search,
        run: () => openOverlay('commands'),
      },
      {
        id: 'shortcuts',
        title: shellWords.showTheShortcuts,
        group: shellWords.help,
        keys: '?',
        icon: Keyboard,
        run: () => openOverlay('shortcuts'),
      },
      {
        id: 'go.home',
        title: commonWords.pipelines,
        group: goTo,
        icon: Waypoints,
        words: ['home'],
        run: go('/'),
      },
      {
        id: 'go.team',
        title: commonWords.team,
        group: goTo,
        icon: Users,
        words: ['members', 'invite', 'tokens', 'audit'],
        run: go(`/w/${workspace.id}/team`),
      },
      {
        id: 'go.settings',
        title: commonWords.settings,
        group: goTo,
        icon: Settings,
        words: ['secrets', 'files', 'hosts', 'folders'],
        run: go(`/w/${workspace.id}/settings`),
      },
      { id: 'theme.light', title: shellWords.light, group: theme, icon: Sun, run: () => setTheme('light') },
      { id: 'theme.dark', title: shellWords.dark, group: theme, icon: Moon, run: () => setTheme('dark') },
      {
        id: 'theme.system',
        title: shellWords.asTheSystem,
        group: theme,
        icon: SunMoon,
        run: () => setTheme('system'),
      },
      timeZone(zone),
      {
        id: 'sign-out',
        title: shellWords.signOut,
        group: shellWords.account,
        icon: LogOut,
        run: () => void signOut(),
      },
    ];
  }, [navigate, workspace.id, zone]);
  useCommands('frame', commands);
}

const timeZone = (zone: TimeZone): Command => ({
  id: 'time-zone',
  title: zone === 'utc' ? shellWords.showTimesOfThisZone : shellWords.showTimesInUtc,
  group: shellWords.times,
  icon: Clock,
  words: ['utc', 'zone', 'clock'],
  run: () => setTimeZone(zone === 'utc' ? 'local' : 'utc'),
});
