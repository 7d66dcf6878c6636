import { Keyboard, LogOut } from 'lucide-react';
import { useNavigate } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './account-menu.module.css';
import { openOverlay } from './overlay-store.ts';
import { signOut, useMe } from './session-store.ts';
import { setTheme, useTheme } from './theme.ts';

const THEME_OPTIONS = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function AccountMenu() {
  const { account } = useMe();
  const theme = useTheme();
  const navigate = useNavigate();
  const leave = () =>
    signOut().then(
      () => navigate('/sign-in'),
      (error: unknown) => toast('error', messageOf(error)),
    );
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} aria-label={`Account of ${account.name}`}>
          <Avatar name={account.name} />
        </button>
      }
    >
      <div className={styles.who}>
        <strong>{account.name}</strong>
        <span>{account.email}</span>
      </div>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} options={THEME_OPTIONS} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={Keyboard} shortcut="?" onSelect={() => openOverlay('shortcuts')}>
        Shortcuts
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
