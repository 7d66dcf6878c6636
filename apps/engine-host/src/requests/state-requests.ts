/** What is stored of a computation: of a pipeline that runs from its run, else read beside whoever may run it. */
import { openState, type PipelineState } from '@millrace/engine';
import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import type { RequestContext } from './request-context.ts';

export async function keysOf(
  { pipeline, node, ...search }: HostRequest<'state-keys'>,
  context: RequestContext,
): Promise<HostAnswer<'state-keys'>> {
  const page = await (await stateOf(pipeline, context))?.keys(node, search);
  return page === undefined ? {} : { page: { ...page, keys: [...page.keys] } };
}

export async function keyOf(
  { pipeline, node, key }: HostRequest<'state-key'>,
  context: RequestContext,
): Promise<HostAnswer<'state-key'>> {
  const found = await (await stateOf(pipeline, context))?.key(node, key);
  if (found === undefined) return {};
  const { state, timers, parked, holds } = found;
  return {
    found: { ...found, state: [...state], timers: [...timers], parked: [...parked], holds: [...holds] },
  };
}

async function stateOf(
  pipeline: string,
  { runner, store }: RequestContext,
): Promise<PipelineState | undefined> {
  const running = runner(pipeline)?.active?.run.state();
  if (running !== undefined) return running;
  const reader = await store.beside(pipeline);
  return reader && openState(reader);
}
