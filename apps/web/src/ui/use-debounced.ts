import { useEffect, useState } from 'react';

/** The value as it was when it had been still for so long. */
export function useDebounced<T>(value: T, ms: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return still;
}
