import { useCallback } from 'react';
import { type Loading, useLoad } from '../../api/use-load.ts';
import { useEditor } from '../editor-context.tsx';
import { EMPTY_GRAPH, loadSide, type VersionGraph } from '../versions/compare/version-graph.ts';
import type { Plan } from './use-deploy.ts';

export interface PlanGraphs {
  readonly before: VersionGraph;
  readonly after: VersionGraph;
}

/** The two versions a plan leads from and to. */
export function usePlanGraphs({ from, to }: Pick<Plan, 'from' | 'to'>): Loading<PlanGraphs> {
  const { pipeline, draft } = useEditor();
  const load = useCallback(
    async (signal: AbortSignal): Promise<PlanGraphs> => {
      const [before, after] = await Promise.all([
        from === null ? EMPTY_GRAPH : loadSide(pipeline, from, draft, signal),
        loadSide(pipeline, to, draft, signal),
      ]);
      return { before, after };
    },
    [pipeline, draft, from, to],
  );
  return useLoad(load);
}
