import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { Refusal, type RequestContext } from './request-context.ts';

export async function openTapOf(
  request: HostRequest<'tap-open'>,
  { runner, taps }: RequestContext,
): Promise<HostAnswer<'tap-open'>> {
  const active = runner(request.pipeline)?.active;
  if (active?.run.progress() === undefined)
    throw new Refusal('not-running', 'The pipeline does not run, so that no records go by.');
  if (!taps.open(request, active.run))
    throw new Refusal(
      'unknown-stream',
      'The version that runs has none of these streams: deploy the draft, or watch others.',
    );
  return {};
}

export async function closeTapOf(
  { tap }: HostRequest<'tap-close'>,
  { taps }: RequestContext,
): Promise<HostAnswer<'tap-close'>> {
  taps.close(tap);
  return {};
}
