import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { sourceTrouble } from '../pipelines/check-version.ts';
import { Refusal, type RequestContext } from './request-context.ts';

/** Whether the sources of a stored version open with the rights of a deployment in that place. */
export async function trySourcesOf(
  { pipeline, version: number, workspace, folder }: HostRequest<'try-sources'>,
  context: RequestContext,
): Promise<HostAnswer<'try-sources'>> {
  const stored = await context.store.beside(pipeline);
  const version = await stored?.versions.get(number);
  if (version === undefined)
    throw new Refusal('unknown-version', `There is no version ${number} of ${pipeline}.`);
  const trouble = await sourceTrouble(context, { pipeline, workspace, folder }, version);
  return trouble === undefined ? {} : { trouble };
}
