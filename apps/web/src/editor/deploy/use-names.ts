import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';

/** Account to name, of everybody in the workspace; what is not known (yet) is nobody's name. */
export function useNames(): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const aborting = new AbortController();
    call('members.list', { signal: aborting.signal }).then(
      ({ items }) => setNames(new Map(items.map(({ account, name, email }) => [account, name || email]))),
      // Names are an extra: without them the rest is as useful.
      () => undefined,
    );
    return () => aborting.abort();
  }, []);
  return names;
}
