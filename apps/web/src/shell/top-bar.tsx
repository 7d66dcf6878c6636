import { Search } from 'lucide-react';
import { Link, NavLink, useLocation } from 'react-router';
import { commonWords } from '../text/strings/common.ts';
import { shellWords } from '../text/strings/shell.ts';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { openOverlay } from './overlay-store.ts';
import { useMe } from './session-store.ts';
import styles from './top-bar.module.css';

/** Ids of the places in the bar that a view fills through `BarSlot`. */
export const BAR_SLOTS = { title: 'bar-title', middle: 'bar-middle', end: 'bar-end' } as const;

/** One bar for all views: where one is, what the view puts there, and oneself. */
export function TopBar() {
  const { workspace } = useMe();
  const isEditor = /^\/w\/[^/]+\/p\//.test(useLocation().pathname);
  return (
    <header className={styles.bar}>
      <div className={styles.start}>
        <Link to="/" className={styles.mark} aria-label={shellWords.millracePipelines}>
          <Mark size={24} />
        </Link>
        {!isEditor && <span className={styles.workspace}>{workspace.name}</span>}
        <div id={BAR_SLOTS.title} className={styles.title} />
        {!isEditor && <Places workspace={workspace.id} />}
      </div>
      <div id={BAR_SLOTS.middle} className={styles.middle} />
      <div className={styles.end}>
        <div id={BAR_SLOTS.end} className={styles.slot} />
        <IconButton
          icon={Search}
          label={shellWords.findACommand}
          shortcut="mod+k"
          onClick={() => openOverlay('commands')}
        />
        <AccountMenu />
      </div>
    </header>
  );
}

function Places({ workspace }: { readonly workspace: string }) {
  const places = [
    { to: '/', name: commonWords.pipelines },
    { to: `/w/${workspace}/team`, name: commonWords.team },
    { to: `/w/${workspace}/settings`, name: commonWords.settings },
  ];
  return (
    <nav className={styles.places} aria-label={commonWords.workspace}>
      {places.map(({ to, name }) => (
        <NavLink
          key={to}
          to={to}
          end={to === '/'}
          className={({ isActive }) => classNames(styles.place, isActive && styles.active)}
        >
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
