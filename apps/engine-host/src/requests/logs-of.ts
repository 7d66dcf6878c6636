import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import type { RequestContext } from './request-context.ts';

/** Answers at once where there is something newer than the caller has seen, else when there is. */
export async function logsOf(
  { pipeline, seen, waitMs }: HostRequest<'logs-read'>,
  { logs }: RequestContext,
): Promise<HostAnswer<'logs-read'>> {
  const book = logs(pipeline);
  const above = seen?.book === book.id ? seen.number : 0;
  await book.newer(above, waitMs);
  return book.read(above);
}
