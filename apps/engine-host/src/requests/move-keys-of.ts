import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { Refusal, type RequestContext } from './request-context.ts';

const END = 2 ** 32;

export async function moveKeysOf(
  { pipeline, nodes, from, to, slot }: HostRequest<'move-keys'>,
  { runner }: RequestContext,
): Promise<HostAnswer<'move-keys'>> {
  const run = runner(pipeline)?.active?.run;
  if (run === undefined) throw new Refusal('not-running', 'The pipeline does not run.');
  const end = to === undefined ? END : Number.parseInt(to, 16);
  const answer = await run.moveKeys({ nodes, start: Number.parseInt(from, 16), end, to: slot });
  if (answer.kind === 'refused') throw new Refusal('not-movable', `${answer.reason}.`);
  return { moves: answer.moves };
}
