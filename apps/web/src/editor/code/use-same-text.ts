import { useCallback, useSyncExternalStore } from 'react';
import { useEditor } from '../editor-context.tsx';

/** Whether the code that is shown, of a node or shared file, is this text now: only then are its lines those lines. */
export function useSameText(id: string | undefined, text: string | undefined): boolean {
  const shown = useEditor().draft.document.code(id ?? '');
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        shown?.observe(listener);
        return () => shown?.unobserve(listener);
      },
      [shown],
    ),
    () => text !== undefined && shown?.toString() === text,
  );
}
