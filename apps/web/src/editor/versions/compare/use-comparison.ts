/** The two sides of a comparison, loaded and compared; again when the draft changes, if it is one of them. */
import { useCallback, useEffect, useState } from 'react';
import { useLoad } from '../../../api/use-load.ts';
import { useEditor } from '../../editor-context.tsx';
import type { Side } from '../address.ts';
import { type Comparison, compareGraphs } from './compare-graphs.ts';
import { loadSide, type VersionGraph } from './version-graph.ts';

export interface Compared {
  readonly before: VersionGraph;
  readonly after: VersionGraph;
  readonly comparison: Comparison;
}

const QUIET_MS = 500;

export function useComparison(from: Side, to: Side) {
  const { pipeline, draft, types } = useEditor();
  const round = useDraftRound(from === 'draft' || to === 'draft');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round of the draft loads again
  const load = useCallback(
    async (signal: AbortSignal): Promise<Compared> => {
      const [before, after] = await Promise.all([
        loadSide(pipeline, from, draft, signal),
        loadSide(pipeline, to, draft, signal),
      ]);
      return { before, after, comparison: compareGraphs(before, after, types) };
    },
    [pipeline, draft, types, from, to, round],
  );
  return useLoad(load);
}

function useDraftRound(isAsked: boolean): number {
  const { doc } = useEditor().draft.document;
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isAsked) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setRound((count) => count + 1), QUIET_MS);
    };
    doc.on('update', soon);
    return () => {
      clearTimeout(timer);
      doc.off('update', soon);
    };
  }, [doc, isAsked]);
  return round;
}
