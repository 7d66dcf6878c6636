/** What is stored of a computation: of a pipeline that runs from its run, else read beside whoever may run it. */
import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { pipelineState } from './pipeline-state.ts';
import type { RequestContext } from './request-context.ts';

export async function keysOf(
  { pipeline, node, ...search }: HostRequest<'state-keys'>,
  context: RequestContext,
): Promise<HostAnswer<'state-keys'>> {
  const state = await pipelineState(context, pipeline);
  const page = await state?.keys(node, search);
  if (page === undefined) return state === undefined ? {} : { unknown: true };
  return { page: { ...page, keys: [...page.keys] } };
}

const BIGGEST_LIMIT_MS = 1_500;

export async function biggestOf(
  { pipeline, node, count }: HostRequest<'state-biggest'>,
  context: RequestContext,
): Promise<HostAnswer<'state-biggest'>> {
  const state = await pipelineState(context, pipeline);
  const found = await state?.biggest(node, count, BIGGEST_LIMIT_MS);
  if (found === undefined) return state === undefined ? {} : { unknown: true };
  return { biggest: { ...found, keys: [...found.keys] } };
}

export async function keyOf(
  { pipeline, node, key }: HostRequest<'state-key'>,
  context: RequestContext,
): Promise<HostAnswer<'state-key'>> {
  const found = await (await pipelineState(context, pipeline))?.key(node, key);
  if (found === undefined) return {};
  const { state, timers, parked, holds } = found;
  return {
    found: { ...found, state: [...state], timers: [...timers], parked: [...parked], holds: [...holds] },
  };
}
