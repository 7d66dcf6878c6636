import { Keyboard, LogOut } from 'lucide-react';
import { useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { shellWords } from '../text/strings/shell.ts';
import { setTimeZone, useTimeZone } from '../text/time-zone.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './account-menu.module.css';
import { openOverlay } from './overlay-store.ts';
import { signOut, useMe } from './session-store.ts';
import { setTheme, useTheme } from './theme.ts';

const THEME_OPTIONS = [
  { value: 'system', label: shellWords.asTheSystem },
  { value: 'light', label: shellWords.light },
  { value: 'dark', label: shellWords.dark },
] as const;

const ZONE_OPTIONS = [
  { value: 'local', label: shellWords.timesOfThisZone },
  { value: 'utc', label: shellWords.timesInUtc },
] as const;

export function AccountMenu() {
  const { account } = useMe();
  const theme = useTheme();
  const zone = useTimeZone();
  const navigate = useNavigate();
  const leave = () =>
    signOut().then(
      () => navigate('/sign-in'),
      (error: unknown) => toast('error', messageOf(error)),
    );
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} aria-label={shellWords.accountOf(account.name)}>
          <Avatar name={account.name} />
        </button>
      }
    >
      <div className={styles.who}>
        <strong>{account.name}</strong>
        <span>{account.email}</span>
      </div>
      <MenuSeparator />
      <MenuLabel>{shellWords.theme}</MenuLabel>
      <MenuChoice value={theme} options={THEME_OPTIONS} onChange={setTheme} />
      <MenuLabel>{shellWords.times}</MenuLabel>
      <MenuChoice value={zone} options={ZONE_OPTIONS} onChange={setTimeZone} />
      <MenuSeparator />
      <MenuItem icon={Keyboard} shortcut="?" onSelect={() => openOverlay('shortcuts')}>
        {shellWords.shortcuts}
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        {shellWords.signOut}
      </MenuItem>
    </Menu>
  );
}
