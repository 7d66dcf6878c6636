import type { WatermarkCause } from '@millrace/engine';
import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { Refusal, type RequestContext } from './request-context.ts';

type Cause = WatermarkCause['cause'];
type Told = NonNullable<HostAnswer<'watermark-cause'>['found']>['cause'];

export async function watermarkCauseOf(
  { pipeline, node }: HostRequest<'watermark-cause'>,
  { runner }: RequestContext,
): Promise<HostAnswer<'watermark-cause'>> {
  const run = runner(pipeline)?.active?.run;
  if (run === undefined) throw new Refusal('not-running', 'The pipeline does not run.');
  const found = await run.cause(node);
  if (found === undefined) return {};
  const { watermark, path, cause } = found;
  return { found: { watermark, path: [...path], cause: toldCause(cause) } };
}

function toldCause(cause: Cause): Told {
  if (cause.kind !== 'source') return cause;
  const { kind, slot, waits } = cause;
  return { kind, slot, waits, partitions: cause.partitions.map((partition) => ({ ...partition })) };
}
