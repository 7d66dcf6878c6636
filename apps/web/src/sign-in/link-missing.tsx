import { Link } from 'react-router';
import { signInWords } from '../text/strings/sign-in.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';

export interface LinkMissingProps {
  readonly what: string;
  readonly how: string;
}

export const LinkMissing = ({ what, how }: LinkMissingProps) => (
  <Door title={signInWords.aPartOfTheLink}>
    <Notice tone="warn">{signInWords.secretIsMissing(what, how)}</Notice>
    <p className={styles.aside}>
      <Link to="/sign-in">{signInWords.signInInstead}</Link>
    </p>
  </Door>
);
