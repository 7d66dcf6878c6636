import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { Refusal, type RequestContext } from './request-context.ts';

export async function recordTraceOf(
  { pipeline, record }: HostRequest<'trace'>,
  { runner }: RequestContext,
): Promise<HostAnswer<'trace'>> {
  const trace = await runner(pipeline)?.active?.run.trace(record);
  if (trace === undefined)
    throw new Refusal('not-running', 'The pipeline does not run: what is kept of its records is gone.');
  const { record: found, parents, children, cut } = trace;
  return {
    ...(found === undefined ? {} : { record: found }),
    parents: [...parents],
    children: [...children],
    cut,
  };
}
