import { useEffect, useRef } from 'react';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import styles from './home-page.module.css';
import { whenInSight } from './when-in-sight.ts';

/** The end of a list that goes on: seen, it asks for more; a button for who does not scroll. */
export function MoreCards({ onMore }: { readonly onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => whenInSight(end.current, (isSeen) => isSeen && onMore()), [onMore]);
  return (
    <div ref={end} className={styles.more}>
      <Button onClick={onMore}>{homeWords.showMore}</Button>
    </div>
  );
}
