import { Link } from 'react-router';
import { Notice } from '../ui/notice.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';

export interface LinkMissingProps {
  readonly what: string;
  readonly how: string;
}

export const LinkMissing = ({ what, how }: LinkMissingProps) => (
  <Door title="A part of the link is missing">
    <Notice tone="warn">
      {what} ends in a long secret behind a #; this one came without it. {how}
    </Notice>
    <p className={styles.aside}>
      <Link to="/sign-in">Sign in instead</Link>
    </p>
  </Door>
);
