import { useEffect } from 'react';
import { commonWords } from '../text/strings/common.ts';

/** Names the tab of the browser after what is seen. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · ${commonWords.millrace}`;
    return () => {
      document.title = commonWords.millrace;
    };
  }, [name]);
}
