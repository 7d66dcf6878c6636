import { useCallback, useMemo } from 'react';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';

/** Of accounts, by id; empty until it is known. */
export function useNames(): ReadonlyMap<string, string> {
  const members = useLoad(useCallback((signal) => call('members.list', { signal }), []));
  return useMemo(
    () =>
      new Map(members.kind === 'ready' ? members.value.items.map((each) => [each.account, each.name]) : []),
    [members],
  );
}
