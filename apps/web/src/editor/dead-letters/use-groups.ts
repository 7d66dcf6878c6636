/** The causes of dead letters: asked for again when the live counts say that there are more, and now and then. */
import { useCallback, useEffect } from 'react';
import { call } from '../../api/call.ts';
import { type Loading, useLoad } from '../../api/use-load.ts';
import type { DeadLetterGroup } from '../code/failures.ts';
import { useEditor } from '../editor-context.tsx';

/** Somebody else may redrive or discard. */
const EVERY_MS = 10_000;
const NO_SOONER_THAN_MS = 1_500;

/** The largest first. */
export function useGroups(): Loading<readonly DeadLetterGroup[]> {
  const { pipeline, live } = useEditor();
  const groups = useLoad(
    useCallback(
      async (signal: AbortSignal): Promise<readonly DeadLetterGroup[]> => {
        const { items } = await call('dead-letters.groups', { params: { pipeline }, signal });
        return [...items].sort((a, b) => b.count - a.count);
      },
      [pipeline],
    ),
  );
  const { reload } = groups;
  useEffect(() => {
    const timer = setInterval(reload, EVERY_MS);
    let seen: number | undefined;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = live.paintAll((view) => {
      const count = view?.nodes.reduce((sum, { deadLettered = 0 }) => sum + deadLettered, 0);
      if (count === undefined || count === seen) return;
      if (seen !== undefined)
        soon ??= setTimeout(() => {
          soon = undefined;
          reload();
        }, NO_SOONER_THAN_MS);
      seen = count;
    });
    return () => {
      clearInterval(timer);
      clearTimeout(soon);
      stop();
    };
  }, [live, reload]);
  return groups;
}
