import { useCallback, useSyncExternalStore } from 'react';
import { type SharedLogs, sharedLogs, subscribeLogs } from './shared-logs.ts';

/** What the code logs while somebody looks; undefined where nobody may. */
export function useLogs(pipeline: string, may = true): SharedLogs | undefined {
  const logs = useSyncExternalStore(
    useCallback(
      (listener: () => void) => (may ? subscribeLogs(pipeline, listener) : () => undefined),
      [pipeline, may],
    ),
    useCallback(() => sharedLogs(pipeline), [pipeline]),
  );
  return may ? logs : undefined;
}
