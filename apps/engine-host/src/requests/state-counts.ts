import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { pipelineState } from './pipeline-state.ts';
import type { RequestContext } from './request-context.ts';

/** Counting looks at everything: what takes longer is told as "at least". */
const LIMIT_MS = 1_500;
const PAGE = 500;

/** How much is stored of each of these nodes; nodes of which nothing ever was are left out. */
export async function stateCounts(
  { pipeline, nodes }: HostRequest<'state-counts'>,
  context: RequestContext,
): Promise<HostAnswer<'state-counts'>> {
  const state = await pipelineState(context, pipeline);
  const deadline = performance.now() + LIMIT_MS;
  const counted: HostAnswer<'state-counts'>['nodes'] = [];
  for (const node of nodes) {
    const sum = { node, keys: 0, mapEntries: 0, timers: 0, inFlight: 0, complete: false };
    let after: Uint8Array | undefined;
    do {
      const page = await state?.keys(node, { beginning: '', limit: PAGE, after });
      if (page === undefined) break;
      for (const { mapEntries, timers, waiting } of page.keys) {
        sum.mapEntries += mapEntries;
        sum.timers += timers;
        sum.inFlight += waiting;
      }
      sum.keys += page.keys.length;
      after = page.next;
      sum.complete = after === undefined;
    } while (after !== undefined && performance.now() < deadline);
    if (sum.complete || sum.keys > 0) counted.push(sum);
  }
  return { nodes: counted };
}
