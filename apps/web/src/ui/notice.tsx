import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

const ICONS = { info: Info, ok: CircleCheck, warn: TriangleAlert, error: CircleAlert };

export interface NoticeProps {
  readonly tone: keyof typeof ICONS;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** What somebody must know, where it matters. Errors are said at once. */
export const Notice = ({ tone, title, children, action }: NoticeProps) => (
  <div className={classNames(styles.notice, styles[tone])} role={tone === 'error' ? 'alert' : 'status'}>
    <Icon of={ICONS[tone]} />
    <div className={styles.text}>
      {title && <p className={styles.title}>{title}</p>}
      {children && <div>{children}</div>}
    </div>
    {action}
  </div>
);
