import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { uiWords } from '../text/strings/ui.ts';
import { classNames } from './class-names.ts';
import { EmptyState } from './empty-state.tsx';
import styles from './sections.module.css';
import { useTitle } from './use-title.ts';

export interface Section {
  readonly id: string;
  readonly name: string;
  readonly content: () => ReactNode;
}

export interface SectionsProps {
  readonly title: string;
  /** Where the first section is; the others are under it by id. */
  readonly path: string;
  readonly sections: readonly Section[];
  readonly chosen: string | undefined;
}

/** A page of several parts, each with its own address, named at the left. */
export function Sections({ title, path, sections, chosen }: SectionsProps) {
  useTitle(title);
  const current = chosen === undefined ? sections[0] : sections.find(({ id }) => id === chosen);
  return (
    <div className={styles.page}>
      <nav className={styles.nav} aria-label={title}>
        <h1>{title}</h1>
        {sections.map(({ id, name }) => (
          <NavLink
            key={id}
            to={`${path}/${id}`}
            className={classNames(styles.entry, id === current?.id && styles.active)}
            aria-current={id === current?.id ? 'page' : undefined}
          >
            {name}
          </NavLink>
        ))}
      </nav>
      <main className={styles.content}>
        {current ? (
          current.content()
        ) : (
          <EmptyState isFramed title={uiWords.notForYou}>
            {uiWords.notForYouAbout}
          </EmptyState>
        )}
      </main>
    </div>
  );
}

export interface PartProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** One part: its name, what it is for, what one can do there. */
export const Part = ({ title, about, action, children }: PartProps) => (
  <section className={styles.part}>
    <header className={styles.head}>
      <div>
        <h2>{title}</h2>
        {about && <p className={styles.about}>{about}</p>}
      </div>
      {action}
    </header>
    {children}
  </section>
);
