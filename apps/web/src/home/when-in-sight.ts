/** Calls back when an element comes into sight, a little before, and when it goes; gives the way to stop. */
import { type RefObject, useEffect, useState } from 'react';

const AHEAD = '200px';

export function whenInSight(element: Element | null, tell: (isSeen: boolean) => void): () => void {
  if (!element) return () => undefined;
  const observer = new IntersectionObserver(
    (entries) => tell(entries.some((entry) => entry.isIntersecting)),
    { rootMargin: AHEAD },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

export function useInSight(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => whenInSight(element.current, setSeen), [element]);
  return isSeen;
}
