import { openState, type PipelineState } from '@millrace/engine';
import type { RequestContext } from './request-context.ts';

/** What is stored of a pipeline: as its run sees it, or, where none runs, as the database has it. */
export async function pipelineState(
  { runner, store }: RequestContext,
  pipeline: string,
): Promise<PipelineState | undefined> {
  const running = runner(pipeline)?.active?.run.state();
  if (running !== undefined) return running;
  const stored = await store.beside(pipeline);
  return stored && openState(stored);
}
