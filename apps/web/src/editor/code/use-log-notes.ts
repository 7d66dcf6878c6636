/** What the code that is shown has logged, while its text is the text of the version that runs. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useMay } from '../../shell/session-store.ts';
import { useEditor } from '../editor-context.tsx';
import { useLogs } from '../logs/use-logs.ts';
import { type LogNote, logNotes } from './log-notes.ts';
import { textOfPath } from './text-of-path.ts';
import { useSameText } from './use-same-text.ts';

const NONE: readonly LogNote[] = [];

/** `id`: node or shared file; `path`: of its code in a folder. */
export function useLogNotes(id: string, path: string): readonly LogNote[] {
  const { pipeline, deployed } = useEditor();
  const version = useStore(deployed.store, (state) => state.version);
  const logs = useLogs(pipeline, useMay('data.read'));
  const isSame = useSameText(id, version && textOfPath(version.document, path));
  const lines = logs?.book.lines;
  return useMemo(
    () =>
      lines === undefined || version === undefined || !isSame
        ? NONE
        : logNotes(lines, { path, version: version.number }),
    [lines, version, isSame, path],
  );
}
