import {
  Clock,
  Keyboard,
  LogOut,
  Moon,
  Plus,
  Search,
  Settings,
  Sun,
  SunMoon,
  Trash2,
  Users,
  Waypoints,
} from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useCreate } from '../home/use-create.ts';
import { commonWords } from '../text/strings/common.ts';
import { shellWords } from '../text/strings/shell.ts';
import { setTimeZone, type TimeZone, useTimeZone } from '../text/time-zone.ts';
import { type Command, useCommands } from './commands.ts';
import { openOverlay } from './overlay-store.ts';
import { signOut, useMay, useMe } from './session-store.ts';
import { setTheme } from './theme.ts';

/** What can be done from everywhere. */
export function useFrameCommands(): void {
  const navigate = useNavigate();
  const { workspace } = useMe();
  const zone = useTimeZone();
  const mayWrite = useMay('graph.write');
  const { run } = useCreate();
  const create = useRef(run);
  create.current = run;
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
        id: 'go.deleted',
        title: shellWords.deletedPipelines,
        group: goTo,
        icon: Trash2,
        words: ['restore', 'trash', 'bin'],
        run: go(`/w/${workspace.id}/deleted`),
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
      ...(mayWrite ? [newPipeline(() => void create.current({}))] : []),
      {
        id: 'sign-out',
        title: shellWords.signOut,
        group: shellWords.account,
        icon: LogOut,
        run: () => void signOut(),
      },
    ];
  }, [navigate, workspace.id, zone, mayWrite]);
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

const newPipeline = (run: () => void): Command => ({
  id: 'new.pipeline',
  title: shellWords.newPipeline,
  group: commonWords.pipelines,
  icon: Plus,
  words: ['create', 'blank', 'draw'],
  run,
});
