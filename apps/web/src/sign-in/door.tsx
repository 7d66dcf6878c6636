import type { ReactNode } from 'react';
import { commonWords } from '../text/strings/common.ts';
import { Mark } from '../ui/mark.tsx';
import { useTitle } from '../ui/use-title.ts';
import styles from './door.module.css';

export interface DoorProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** What all pages before signing in look like. */
export const Door = ({ title, about, children }: DoorProps) => {
  useTitle(title);
  return (
    <main className={styles.door}>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Mark size={32} />
          {commonWords.millrace}
        </p>
        <h1>{title}</h1>
        {about && <p className={styles.about}>{about}</p>}
        <div className={styles.body}>{children}</div>
      </div>
      <Water />
    </main>
  );
};

/** The race: a level line along the foot of the page. */
const Water = () => (
  <svg className={styles.water} viewBox="0 0 1440 120" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 24c120 0 120 20 240 20s120-20 240-20 120 20 240 20 120-20 240-20 120 20 240 20 120-20 240-20v96H0z" />
    <path d="M0 56c120 0 120-16 240-16s120 16 240 16 120-16 240-16 120 16 240 16 120-16 240-16 120 16 240 16v64H0z" />
  </svg>
);
