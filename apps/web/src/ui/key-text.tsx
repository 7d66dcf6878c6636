import { uiWords as words } from '../text/strings/ui.ts';
import styles from './key-text.module.css';

/** A record's key as it is; where a stream is not keyed, or there was none yet, that is said instead of nothing. */
export function KeyText({ of }: { readonly of: string | null }) {
  return of === null || of === '' ? <span className={styles.none}>{words.noKey}</span> : <code>{of}</code>;
}
