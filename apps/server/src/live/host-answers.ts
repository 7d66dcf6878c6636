/** What routes about a running pipeline share: whether it may be seen, and answers of the engine host. */
import type { Call } from '../http/handler.ts';
import { notFound, Problem, retryLater } from '../http/problem.ts';
import type { HostReply } from '../supervisor/host-process.ts';
import type { LiveContext } from './live-feature.ts';
import { visiblePipeline } from './live-visibility.ts';

type OfPipeline = Pick<Call<'live.get'>, 'params' | 'workspace'>;

export async function visible(
  { store }: Pick<LiveContext, 'store'>,
  { params, workspace }: OfPipeline,
): Promise<void> {
  if (!(await visiblePipeline(store)(workspace, params.pipeline))) throw notFound('pipeline');
}

export function answered<T>(
  reply: { kind: 'answer'; body: T } | Exclude<HostReply<'watch'>, { kind: 'answer' }>,
): T {
  if (reply.kind === 'answer') return reply.body;
  if (reply.kind === 'away')
    throw retryLater(503, 'host-away', 'The engine is being started again: try once more in a moment.', 2);
  throw new Problem(422, reply.code, reply.message);
}
