import { useEffect } from 'react';

/** Names the tab of the browser after what is seen. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Millrace`;
    return () => {
      document.title = 'Millrace';
    };
  }, [name]);
}
